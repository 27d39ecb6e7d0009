/**
 * Where a capsule's output goes: to the classes and, in networks whose routing has it, to none
 * of the above (Sabour, Frosst & Hinton 2017, section 7), which takes what no class claims. It
 * has no capsule and no votes. It comes last, and counts among the ends of what flows.
 * @import { Layer, Model, Tensor } from "../../types.js"
 */
import { memoizeByObject } from "../../../lib/memoize.js";

export const NONE = "none of the above";

/** The names of ends beside a picture. @param {readonly string[]} ends */
export const besidePicture = (ends) => ends.map((end) => (end === NONE ? "none" : end));

/** As a sentence names an end: the bare words would deny it. @param {string} end */
export const inSentence = (end) => (end === NONE ? `“${NONE}”` : end);

/** @param {Layer} layer @param {Model} model */
export const hasNone = (layer, model) => layer.shapeOf(model, "none").length > 0;

/** The names of the ends; the same for the same model. */
export const endsOf = memoizeByObject(
  (/** @type {{ layer: Layer, model: Model }} */ { model }) => model,
  ({ layer, model }) =>
    hasNone(layer, model) ? [...model.class_names, NONE] : model.class_names,
);

/**
 * Couplings with one more for each capsule, so that they sum to 1 again.
 * @param {Tensor} couplings (iterations, types, rows, columns, classes)
 * @param {Tensor} none (iterations, types, rows, columns)
 * @returns {Tensor} (iterations, types, rows, columns, classes + 1)
 */
export function withNone({ shape, data }, none) {
  const classes = shape[4];
  const all = new Float32Array(data.length + none.data.length);
  none.data.forEach((share, i) => {
    all.set(data.subarray(i * classes, (i + 1) * classes), i * (classes + 1));
    all[(i + 1) * (classes + 1) - 1] = share;
  });
  return { shape: none.shape.concat(classes + 1), data: all };
}
