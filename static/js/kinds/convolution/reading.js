/**
 * What kernels make of what they read: the arithmetic of a convolution, as networks compute
 * it. Mathematics calls it a cross-correlation: the kernel is not turned around.
 * @import { Layer, Model, Tensor } from "../types.js"
 * @import { ConvolutionState, Field, Kernels, Maps, ReadLayer, Reading } from "./types.js"
 */
import { fieldAt, ITSELF } from "../../geometry/windows.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { channelsOf, mapOf } from "./maps.js";
import { normIn, normOf } from "./norm.js";

/** The same numbers as the network's after ReLU, without asking for them. */
const rectified = memoizeByObject(
  (/** @type {Tensor} */ pre) => pre,
  ({ shape, data }) => ({ shape, data: relu(data) }),
);

/** Kernels of an image of one channel come without an axis for it. */
const withChannels = memoizeByObject(
  (/** @type {Tensor} */ kernels) => kernels,
  ({ shape, data }) => {
    const [count, rows, columns] = shape;
    return { shape: shape.length === 4 ? shape : [count, 1, rows, columns], data };
  },
);

/**
 * A layer as it read the image of a trace.
 * @param {ConvolutionState["trace"]} trace @param {ConvolutionState["weights"]} weights
 * @param {Model} model @param {Layer} layer
 * @returns {ReadLayer}
 */
export function readLayer({ pixels, tensors }, weights, model, layer) {
  const lower = layer.network.find(({ id }) => id === layer.below);
  return {
    kernels: withChannels(weights.kernels),
    bias: weights.bias,
    below: tensors.below ?? channelsOf(pixels),
    reachBelow: lower?.reach(model) ?? ITSELF,
    window: layer.window?.(model) ?? ITSELF,
    pixels,
    pre: tensors.pre,
    relu: rectified(tensors.pre),
    norm: normIn(weights),
    reach: layer.reach(model) ?? ITSELF,
    responding:
      layer.below === undefined ? model.card.legibility?.conv1_alive : undefined,
  };
}

/** @param {ReadLayer} layer @param {number} map @returns {Reading} */
export function trainedReading(layer, map) {
  const { kernels, bias, pre, relu: after, norm, responding, ...read } = layer;
  return {
    ...read,
    kernelName: `kernel ${map}`,
    mapName: `Map ${map}`,
    weights: mapOf(kernels, map),
    bias: bias.data[map],
    kernel: { rows: kernels.shape[2], columns: kernels.shape[3] },
    before: mapOf(pre, map),
    after: mapOf(after, map),
    norm: norm && normOf(norm, map),
    across: pre.shape[2],
  };
}

/**
 * One output of a convolution as the sum that it is: what each map below adds.
 * @typedef {object} Contributions
 * @property {Float64Array} windows (maps, rows, columns), what lies beneath it on each map;
 *   zeros where it lies on padding
 * @property {Float32Array} weights (maps, rows, columns), its kernel: a slice for each map
 * @property {Float64Array} products (maps, rows, columns), cell by cell
 * @property {Float64Array} shares (maps), the sum of each map's products
 * @property {number} bias
 * @property {number} total all shares and the bias
 */

/**
 * @param {Maps} maps (maps, rows, columns)
 * @param {Float32Array} weights (maps, rows, columns)
 * @param {number} bias @param {Field} window
 * @returns {Contributions}
 */
export function summed({ shape, data }, weights, bias, window) {
  const [count, rows, columns] = shape;
  const across = window.columns ?? window.size;
  const cells = window.size * across;
  const windows = new Float64Array(count * cells);
  const products = new Float64Array(count * cells);
  const shares = new Float64Array(count);
  for (let map = 0, at = 0; map < count; map++) {
    for (let row = window.row; row < window.row + window.size; row++) {
      const isRow = row >= 0 && row < rows;
      const from = (map * rows + row) * columns;
      for (
        let column = window.column;
        column < window.column + across;
        column++, at++
      ) {
        const isIn = isRow && column >= 0 && column < columns;
        const value = isIn ? data[from + column] : 0;
        const product = value * weights[at];
        windows[at] = value;
        products[at] = product;
        shares[map] += product;
      }
    }
  }
  const total = shares.reduce((sum, share) => sum + share, bias);
  return { windows, weights, products, shares, bias, total };
}

/** A pixel of a map as the sum that it is, and where its kernel lies. */
export const sumAt = memoize(
  (
    /** @type {Reading} */ { below, weights, bias, window },
    /** @type {number} */ row,
    /** @type {number} */ column,
  ) => {
    const field = fieldAt(window, { row, column });
    return { field, parts: summed(below, weights, bias, field) };
  },
);

/**
 * What is above zero, and zero for the rest.
 * @param {Float32Array} values
 * @returns {Float32Array}
 */
function relu(values) {
  const above = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) if (values[i] > 0) above[i] = values[i];
  return above;
}
