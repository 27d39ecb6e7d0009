/**
 * What one kernel made of the image, be it trained or one's own.
 * @import { Pixels, Tensor } from "../types.js"
 * @import { Kernels, OwnKernel, Reach, Seen } from "./types.js"
 */
import { memoizeByObject } from "../lib/memoize.js";
import { inkOf } from "../lib/pixels.js";
import { convolve, relu } from "./compute.js";
import { mapOf } from "./maps.js";

/**
 * A layer as it read one image.
 * @typedef {object} Layer
 * @property {Kernels} kernels
 * @property {Tensor} kernelTiles (kernels, size, size), to be shown as pictures
 * @property {Float64Array} ink (side, side), the image that the maps are of
 * @property {Tensor} pre (kernels, rows, columns), before ReLU
 * @property {Tensor} relu same shape, after ReLU
 * @property {Reach} reach
 */

/** The same numbers as the network's, without asking for them. */
export const rectified = memoizeByObject(
  (/** @type {Tensor} */ pre) => pre,
  ({ shape, data }) => ({ shape, data: relu(data) }),
);

/**
 * The kernel that made a map.
 * @typedef {object} MadeBy
 * @property {string} kernelName
 * @property {ArrayLike<number>} weights (size, size)
 * @property {number} bias
 * @property {number} size
 * @property {boolean} isTraced whether the network computed the map, not this page
 */

/**
 * What the pictures, the arithmetic and the walk over the image are drawn from.
 * @typedef {Seen & MadeBy} Reading
 */

/**
 * @param {Pixels} pixels the image that the maps are of
 * @param {Kernels} kernels
 * @param {Tensor} pre
 * @param {number} [step] pixels of the image from one position of a kernel to the next
 * @returns {Layer}
 */
export function layerOf(pixels, kernels, pre, step = 1) {
  const ink = inkOf(pixels);
  const size = kernels.kernels.shape[1];
  const unread = Math.sqrt(ink.length) - (step * (pre.shape[2] - 1) + size);
  return {
    kernels,
    kernelTiles: kernels.kernels,
    ink,
    pre,
    relu: rectified(pre),
    // What no position reads is left over on both sides, an odd pixel before the image.
    reach: { size, step, first: Math.ceil(unread / 2) },
  };
}

/**
 * @param {Layer} layer
 * @param {number} map
 * @returns {Reading}
 */
export function trainedReading({ kernels, ink, pre, relu: after, reach }, map) {
  return {
    kernelName: `kernel ${map}`,
    mapName: `Map ${map}`,
    ink,
    side: Math.sqrt(ink.length),
    weights: mapOf(kernels.kernels, map),
    bias: kernels.bias.data[map],
    size: kernels.kernels.shape[1],
    before: mapOf(pre, map),
    after: mapOf(after, map),
    across: pre.shape[2],
    reach,
    isTraced: true,
  };
}

/**
 * @param {Layer} layer
 * @param {OwnKernel} kernel
 * @returns {Reading}
 */
export function ownReading({ ink }, kernel) {
  const side = Math.sqrt(ink.length);
  const before = convolve(ink, side, kernel, kernel.size);
  return {
    kernelName: "your kernel",
    mapName: "Your map",
    ink,
    side,
    ...kernel,
    before,
    after: relu(before),
    across: side - kernel.size + 1,
    reach: { size: kernel.size, step: 1 },
    isTraced: false,
  };
}

/**
 * A trained kernel as a start for one's own.
 * @param {Kernels} kernels
 * @param {number} map
 * @returns {OwnKernel}
 */
export function trainedKernel({ kernels, bias }, map) {
  const weights = Array.from(mapOf(kernels, map));
  return { size: kernels.shape[1], weights, bias: bias.data[map] };
}
