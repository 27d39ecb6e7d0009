/**
 * Links of earlier versions: what opened something that is gone opens what took its place,
 * and says nothing.
 * @import { Model } from "../../types.js"
 */
import { comparableModels, LAB } from "../state.js";

/** Names that links said, and that nothing says now. */
export const FORMER_NAMES = [
  "invert", // of the input
  ...["pool", "moved"], // of pooling
  ...["alarm", "carried", "gradients", "through", "loss"], // of the attack
  "shown", // of routing: which of two runs its pictures showed
  ...["contours", "numbers-of", "across", "up", "along"], // of the Atlas
  "mistake", // of training
];

/** Of the Atlas: an outline on the map, numbers, sides of toys, ranges of scores. */
const OF_ATLAS = ["lasso", "numbers", "view", "score", "error"];

/**
 * @param {URLSearchParams} link changed
 * @param {readonly Model[]} models
 */
export function sayAsToday(link, models) {
  if (link.get("mode") === LAB && link.get("experiment") === "pooling")
    openPooling(link, models);
  if (link.get("mode") === LAB && link.get("experiment") === "light") openLight(link);
  // What the Atlas selected otherwise; now everything is selected.
  const [selected] = link.get("selected")?.split("/") ?? [];
  if (OF_ATLAS.includes(selected)) link.delete("selected");
}

/** The experiment with ground and light, which are knobs of another now. @param {URLSearchParams} link changed */
function openLight(link) {
  link.set("experiment", "pose");
  if (!link.has("knob")) link.set("knob", "ground");
}

/** What the Lab said of itself, and its experiment on pooling. */
const OF_LAB = ["mode", "experiment", "off"];
const OF_POOLING = ["moves", "piece", "by", "layer", "pooled", "window"];

/** What a link says of images; they stay where another network shows them. */
const OF_IMAGES = /^(kept-)?(sample|image|of)$/;

/**
 * The experiment with pooling: the view of a layer that pools. Where no network pools, the Lab opens as it does at first.
 * @param {URLSearchParams} link changed @param {readonly Model[]} models
 */
function openPooling(link, models) {
  const id = link.get("layer");
  const named = link.get("model");
  const model =
    models.find((each) => each.id === named) ?? models.find((each) => each.default);
  const found = [
    model,
    ...comparableModels({ models: [...models], model: model ?? null }),
  ]
    .map((each) => ({ each, layers: pooledIn(each) }))
    .find(({ layers }) => layers.length > 0);
  const isOther = found !== undefined && found.each !== model;
  const isGone = (/** @type {string} */ name) =>
    [...OF_LAB, ...OF_POOLING].includes(name) || (isOther && !OF_IMAGES.test(name));
  for (const name of [...new Set(link.keys())]) if (isGone(name)) link.delete(name);
  if (found?.each === undefined) return link.set("mode", LAB);
  link.set("model", found.each.id);
  link.set("view", found.layers.find((each) => each === id) ?? found.layers[0]);
}

/** The ids of a network's layers that pool. @param {Model | undefined} model */
const pooledIn = (model) =>
  (model?.layers ?? []).flatMap(({ id, kind }) => (kind === "pooling" ? [id] : []));
