/**
 * The state as a link: what stands behind the # of the address, and back. The chosen
 * network writes and reads its own slice.
 * @import { AnyExperiment, AnyNetwork, AppState, Model, Sample, Source } from "../types.js"
 */

import { readWhole } from "../lib/links.js";
import { pack, unpack } from "../lib/pixels.js";
import { EXPLORE, LAB, offIn, readLab, writeLab } from "./lab.js";
import { hasView, INPUT } from "./state.js";

/** What new links are written in; links without a version are of the first. */
const VERSION = 2;

/**
 * What of the state a link keeps; slices as far as their networks say.
 * @typedef {Pick<AppState, "mode" | "lab" | "experiments" | "view" | "pixels" | "source" | "kept" | "digit" | "model" | "network" | "slices">} Linked
 */

/** @type {(keyof Linked)[]} */
export const LINKED = [
  "mode",
  "lab",
  "view",
  "pixels",
  "source",
  "kept",
  "digit",
  "model",
  "slices",
];

/** Characters of a link that a message repeats. */
const MOST_QUOTED = 24;

/** What stands for an image where the canvas is empty. */
const EMPTY = "none";

/** Begins the names of what says the image that others are compared with. */
const KEPT = "kept-";

/**
 * @param {Linked} state
 * @returns {string} without the #
 */
export function toHash(state) {
  const { view, model, network, slices, pixels, source, kept, digit } = state;
  const link = new URLSearchParams({ view, v: String(VERSION) });
  if (model !== null && !model.default) link.set("model", model.id);
  writeImage(link, { pixels, source });
  if (kept !== null) writeImage(link, kept, KEPT);
  if (digit !== null) link.set("digit", String(digit));
  writeLab(link, state);
  if (model !== null) network?.link?.write(link, slices[model.id], model);
  return link.toString();
}

/**
 * @param {URLSearchParams} link
 * @param {Pick<Linked, "pixels" | "source">} image
 * @param {string} [prefix] of the names
 */
function writeImage(link, { pixels, source }, prefix = "") {
  if (source.kind === "sample") link.set(`${prefix}sample`, source.id);
  else link.set(`${prefix}image`, pixels === null ? EMPTY : pack(pixels));
  if (source.kind === "dataset")
    link.set(`${prefix}of`, `${source.id}/${source.index}/${source.label}`);
}

/**
 * The model that a link names, else the default one.
 * @param {string} hash with or without the #
 * @param {readonly Model[]} models
 * @returns {Model | null} null while no models are known
 */
export function modelIn(hash, models) {
  const id = paramsOf(hash).get("model");
  return (
    models.find((one) => one.id === id) ?? models.find((one) => one.default) ?? null
  );
}

/**
 * The view that a link names, be there such a view or not.
 * @param {string} hash with or without the #
 */
export function viewIn(hash) {
  return paramsOf(hash).get("view") ?? INPUT;
}

/**
 * Read a link. What it does not say, or says wrongly, keeps its default.
 * @param {string} hash with or without the #
 * @param {object} known
 * @param {readonly Sample[]} known.samples
 * @param {Model} known.model that of the link
 * @param {AnyNetwork} known.network that of the model
 * @param {AppState["slices"]} known.slices
 * @param {readonly AnyExperiment[]} [known.experiments]
 * @param {readonly Model[]} [known.models] those that may be switched off
 * @param {AppState["lab"]} [known.lab]
 * @returns {Omit<Linked, "pixels" | "source" | "lab" | "experiments"> & Partial<Pick<Linked, "pixels" | "source" | "lab">>}
 */
export function fromHash(hash, known) {
  const { samples, model, network, slices } = known;
  const link = paramsOf(hash);
  const version = readWhole(link.get("v"), 1, Number.MAX_SAFE_INTEGER) ?? 1;
  const view = link.get("view") ?? INPUT;
  const slice = {
    ...(slices[model.id] ?? network.slice(model)),
    ...network.link?.read(link, model, version),
  };
  return {
    ...readImage(link, samples, model),
    ...readLab(link, known),
    kept: readKept(link, samples, model),
    model,
    network,
    view: hasView(network, view) ? view : INPUT,
    digit: readWhole(link.get("digit"), 0, model.classes - 1),
    slices: { ...slices, [model.id]: slice },
  };
}

/** What any link says; what else stands in it is a network's own. */
const SAYS = ["mode", "view", "model", "sample", "image"];

/**
 * What a link says that cannot be read, for people.
 * @param {string} hash with or without the #
 * @param {object} known
 * @param {readonly Sample[]} known.samples
 * @param {readonly Model[]} known.models
 * @param {Model} known.model the one that is shown
 * @param {AnyNetwork} known.network that of the model
 * @param {readonly AnyExperiment[]} [known.experiments]
 * @returns {string[]} nothing where all of it can be read
 */
export function unreadIn(hash, known) {
  const { samples, models, model, network, experiments = [] } = known;
  const link = paramsOf(hash);
  if (link.size === 0) return [];
  if (!SAYS.some((name) => link.has(name))) return ["any setting"];
  /**
   * @param {string} name
   * @param {string} words
   * @param {(value: string) => boolean} isKnown
   */
  const check = (name, words, isKnown) => {
    const value = link.get(name);
    return value === null || isKnown(value) ? [] : [`${words} “${shortened(value)}”`];
  };
  const isImage = (/** @type {string} */ text) =>
    text === EMPTY || unpack(text, model.input_shape[0]) !== null;
  const isSample = (/** @type {string} */ id) => samples.some((one) => one.id === id);
  return [
    ...check("mode", "the mode", (mode) => [EXPLORE, LAB].includes(mode)),
    ...check("experiment", "the experiment", (name) =>
      experiments.some(({ id }) => id === name),
    ),
    ...check("off", "the networks to switch off", () =>
      offIn(link).every((id) => models.some((one) => one.id === id)),
    ),
    ...check("model", "the model", (id) => models.some((one) => one.id === id)),
    ...check("view", "the view", (id) => hasView(network, id)),
    ...check("sample", "the example", isSample),
    ...check("image", "the image", isImage),
    ...check(`${KEPT}sample`, "the example to compare with", isSample),
    ...check(`${KEPT}image`, "the image to compare with", isImage),
    ...check("digit", "the class", (text) => {
      return readWhole(text, 0, model.classes - 1) !== null;
    }),
  ];
}

/** @param {string} text */
function shortened(text) {
  return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text;
}

/** @param {string} hash */
function paramsOf(hash) {
  return new URLSearchParams(hash.replace(/^#/, ""));
}

/**
 * @param {URLSearchParams} link
 * @param {readonly Sample[]} samples
 * @param {Model} model
 * @returns {AppState["kept"]} null where the link says none that can be read
 */
function readKept(link, samples, model) {
  const { pixels, source } = readImage(link, samples, model, KEPT);
  return pixels && source ? { pixels, source } : null;
}

/**
 * @param {URLSearchParams} link
 * @param {readonly Sample[]} samples
 * @param {Model | null} model
 * @param {string} [prefix] of the names
 * @returns {Partial<Pick<Linked, "pixels" | "source">>}
 */
function readImage(link, samples, model, prefix = "") {
  const sample = samples.find(({ id }) => id === link.get(`${prefix}sample`));
  if (sample) return { pixels: sample.pixels, source: sampleSource(sample) };
  const image = link.get(`${prefix}image`) ?? "";
  if (image === EMPTY) return { pixels: null, source: { kind: "link" } };
  const pixels = unpack(image, model?.input_shape[0]);
  if (pixels === null) return {};
  return {
    pixels,
    source: readDataset(link.get(`${prefix}of`) ?? "", model?.classes ?? 0),
  };
}

/**
 * @param {string} text such as `mnist-test/247/4`
 * @param {number} classes
 * @returns {Source}
 */
function readDataset(text, classes) {
  const [, id, indexText, labelText] = /^([\w-]+)\/(\d+)\/(\d+)$/.exec(text) ?? [];
  const index = readWhole(indexText ?? null, 0, Number.MAX_SAFE_INTEGER);
  const label = readWhole(labelText ?? null, 0, classes - 1);
  if (index === null || label === null) return { kind: "link" };
  return { kind: "dataset", id, index, label };
}

/**
 * @param {Sample} sample
 * @returns {Source}
 */
export function sampleSource({ id, label, title }) {
  return { kind: "sample", id, label, title };
}
