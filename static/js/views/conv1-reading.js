/**
 * What one kernel made of the image, be it trained or one's own.
 * @import { AppState, CapsNetSizes, Kernels, OwnKernel, Tensor } from "../types.js"
 */
import { convolve, relu } from "../lib/convolution.js";
import { mapOf } from "../lib/maps.js";
import { onceFor } from "../lib/once.js";
import { inkOf } from "../lib/pixels.js";
import { sizesOf } from "../state.js";

/**
 * The layer as it read one image.
 * @typedef {object} Conv1
 * @property {CapsNetSizes} sizes
 * @property {Kernels} kernels
 * @property {Float64Array} ink (side, side), the image that the maps are of
 * @property {Tensor} pre (kernels, rows, columns), before ReLU
 * @property {Tensor} relu same shape, after ReLU
 */

/** The same numbers as the network's, without asking for them. */
const rectified = onceFor(
  (/** @type {Tensor} */ pre) => pre,
  ({ shape, data }) => ({ shape, data: relu(data) }),
);

/**
 * What the pictures, the arithmetic and the walk over the image are drawn from.
 * @typedef {object} Reading
 * @property {string} kernelName
 * @property {string} mapName
 * @property {Float64Array} ink (side, side)
 * @property {number} side
 * @property {ArrayLike<number>} weights (size, size)
 * @property {number} bias
 * @property {number} size
 * @property {Float32Array} before (across, across), the map before ReLU
 * @property {Float32Array} after ReLU
 * @property {number} across rows, and columns, of the map
 * @property {boolean} isTraced whether the network computed the map, not this page
 */

/**
 * @param {Pick<AppState, "trace" | "kernels" | "model">} state
 * @returns {Conv1 | null} null while a part of it is on its way
 */
export function conv1Of({ trace, kernels, model }) {
  if (trace === null || kernels === null || model === null) return null;
  if (trace.model !== model.id || kernels.model !== model.id) return null;
  const pre = trace.tensors["conv1.pre"];
  if (!pre) return null;
  const ink = inkOf(trace.pixels);
  return { sizes: sizesOf(model), kernels, ink, pre, relu: rectified(pre) };
}

/**
 * @param {Conv1} layer
 * @param {number} map
 * @returns {Reading}
 */
export function trainedReading({ sizes, kernels, ink, pre, relu: after }, map) {
  return {
    kernelName: `kernel ${map}`,
    mapName: `Map ${map}`,
    ink,
    side: sizes.image_size,
    weights: mapOf(kernels.kernels, map),
    bias: kernels.bias.data[map],
    size: sizes.kernel_size,
    before: mapOf(pre, map),
    after: mapOf(after, map),
    across: pre.shape[2],
    isTraced: true,
  };
}

/**
 * @param {Conv1} layer
 * @param {OwnKernel} kernel
 * @returns {Reading}
 */
export function ownReading({ sizes: { image_size: side }, ink }, kernel) {
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
