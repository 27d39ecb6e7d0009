/**
 * Conv2 as it read one image: what its pictures and its arithmetic are drawn from.
 * @import { Beneath } from "../../../convolution/beneath/window.js"
 * @import { DeepKernels, Place, Reach, Seen } from "../../../convolution/types.js"
 * @import { Tensor, TraceOf } from "../../../types.js"
 * @import { CnnSizes } from "../types.js"
 */
import { contributions } from "../../../convolution/beneath/contributions.js";
import { mapOf } from "../../../convolution/maps.js";
import { mosaics, sliceLayout, weightName } from "../../../convolution/mosaic.js";
import { rectified } from "../../../convolution/reading.js";
import { memoizeByObject } from "../../../lib/memoize.js";
import { inkOf } from "../../../lib/pixels.js";
import { reachOf } from "../places.js";

const KERNEL_GAP = 3; // cells; more than between the slices of one

/**
 * @typedef {object} DeepLayer
 * @property {Float64Array} ink (side, side), the image that the maps are of
 * @property {Tensor} below (maps, rows, columns), Pool1
 * @property {Reach} reachBelow
 * @property {DeepKernels} kernels
 * @property {Tensor} kernelTiles each kernel's slices as one picture
 * @property {number} kernelGap
 * @property {(cell: Place) => string} weightName
 * @property {Tensor} pre (maps, rows, columns), before ReLU
 * @property {Tensor} relu after ReLU
 * @property {Reach} reach
 */

/** The same kernels make the same pictures, whatever the image. */
const tilesOf = memoizeByObject((/** @type {Tensor} */ kernels) => kernels, mosaics);

/**
 * @param {TraceOf<"pool1" | "conv2.pre">} trace
 * @param {DeepKernels} kernels
 * @param {CnnSizes} sizes
 * @returns {DeepLayer}
 */
export function layerOf({ tensors, pixels }, kernels, sizes) {
  const [, maps, size] = kernels.kernels.shape;
  const layout = sliceLayout(maps, size);
  const { pool1, conv2 } = reachOf(sizes);
  return {
    ink: inkOf(pixels),
    below: tensors.pool1,
    reachBelow: pool1,
    kernels,
    kernelTiles: tilesOf(kernels.kernels),
    kernelGap: KERNEL_GAP,
    weightName: (cell) => weightName(layout, cell),
    pre: tensors["conv2.pre"],
    relu: rectified(tensors["conv2.pre"]),
    reach: conv2,
  };
}

/**
 * @param {DeepLayer} layer
 * @param {number} map
 * @returns {Seen}
 */
export function seenBy({ ink, pre, relu, reach }, map) {
  return {
    mapName: `Map ${map}`,
    ink,
    side: Math.sqrt(ink.length),
    before: mapOf(pre, map),
    after: mapOf(relu, map),
    across: pre.shape[2],
    reach,
  };
}

/**
 * What lies beneath one pixel.
 * @param {DeepLayer} layer
 * @param {number} map
 * @param {number} row of the pixel
 * @param {number} column
 * @returns {Beneath}
 */
export function beneathOf({ below, reachBelow, kernels }, map, row, column) {
  const window = { row, column, size: kernels.kernels.shape[2] };
  const parts = contributions(below, kernels, map, window);
  return { maps: below, reach: reachBelow, window, parts };
}
