/**
 * Where a capsule's output goes: to the classes, or to the capsules that a routing in the
 * middle makes, and, in networks whose routing has it, to none
 * of the above (Sabour, Frosst & Hinton 2017, section 7), which takes what no class claims. It
 * has no capsule and no votes. It comes last, and counts among the ends of what flows.
 * @import { Kind, Layer, Model, Tensor } from "../../types.js"
 * @import { Grid } from "../types.js"
 */

import { largestOf } from "../../../lib/arithmetic.js";
import { numbered } from "../../../lib/format.js";
import { memoizeByIndex, memoizeByObject } from "../../../lib/memoize.js";
import { gridOf } from "../../capsules/places.js";
import { belowOf, cutOf } from "../../capsules/source.js";
import { runsAsAsked } from "../surgery/run.js";

export const NONE = "none of the above";

/** As a sentence names an end: the bare words would deny it. @param {string} end */
export const inSentence = (end) => (end === NONE ? `“${NONE}”` : end);

/** @param {Layer} layer @param {Model} model */
export const hasNone = (layer, model) => layer.shapeOf(model, "none").length > 0;

/**
 * The layer of capsules that a routing makes in the middle of a network; undefined: those of
 * the classes.
 * @param {Pick<Layer, "id" | "network">} layer
 */
export const madeBy = ({ id, network }) =>
  network.find(({ below, kind }) => below === id && kind.name === "capsules");

/**
 * Whether requests can change it: they name capsules below, and classes.
 * @param {Layer} layer @param {Model} model
 */
export const isOperable = (layer, model) => runsAsAsked(model) && !madeBy(layer);

/** What the capsules above are called. @param {Pick<Layer, "id" | "network">} layer */
export const nounsOf = (layer) =>
  madeBy(layer)
    ? { singular: "capsule", plural: "capsules" }
    : { singular: "class", plural: "classes" };

/**
 * How many capsules are below, and on what grid.
 * @param {Layer} layer @param {Model} model
 * @returns {Required<Pick<Grid, "types" | "rows" | "columns" | "group">>}
 */
export function gridBelow(layer, model) {
  const shape = layer.shapeOf(model, "lengths");
  const [types, ...places] = shape;
  if (places.length > 0) return { types, ...gridOf(shape), group: "type" };
  const below = belowOf(layer);
  const { maps } = below?.order === "view" ? cutOf(below, model) : { maps: types };
  return types % maps === 0 && types > maps
    ? { types: maps, rows: 1, columns: types / maps, group: "map" }
    : { types, rows: 1, columns: 1, group: "capsule" };
}

/** A model with other capsules in the classes' place; the same for the same. */
const withTargets = memoizeByObject(
  (/** @type {Model} */ model) => model,
  (model) =>
    memoizeByIndex((classes) => ({
      ...model,
      classes,
      class_names: numbered(classes),
      present: { at_most: 1, threshold: null },
    })),
);

/**
 * How a routing in the middle sees what its network's classes have no part in: the capsules
 * that it makes take their place, and the longest of them is what is read.
 * @type {NonNullable<Kind["lens"]>}
 */
export const seenInTheMiddle = {
  model: (model, layer) =>
    madeBy(layer) ? withTargets(model)(layer.shapeOf(model, "capsules")[1]) : model,
  trace(trace, layer) {
    const { scores } = trace.tensors;
    if (madeBy(layer) === undefined || scores === undefined) return trace;
    return { ...trace, prediction: largestOf(scores.data) };
  },
};

/** The names of the ends; the same for the same model. */
export const endsOf = memoizeByObject(
  (/** @type {{ layer: Layer, model: Model }} */ { model }) => model,
  ({ layer, model }) =>
    hasNone(layer, model) ? [...model.class_names, NONE] : model.class_names,
);

/**
 * Couplings with one more for each capsule, so that they sum to 1 again.
 * @param {Tensor} couplings (iterations, …, classes)
 * @param {Tensor} none (iterations, …)
 * @returns {Tensor} (iterations, …, classes + 1)
 */
export function withNone({ shape, data }, none) {
  const [classes] = shape.slice(-1);
  const all = new Float32Array(data.length + none.data.length);
  none.data.forEach((share, i) => {
    all.set(data.subarray(i * classes, (i + 1) * classes), i * (classes + 1));
    all[(i + 1) * (classes + 1) - 1] = share;
  });
  return { shape: none.shape.concat(classes + 1), data: all };
}
