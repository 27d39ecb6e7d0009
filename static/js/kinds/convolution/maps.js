/**
 * What is true of each map of a layer as a whole, and kernels as pictures of it.
 * @import { Layout } from "../../geometry/tiles.js"
 * @import { Pixels, Tensor } from "../../types.js"
 * @import { Maps, Place } from "./types.js"
 */

import { acrossSquare, pictureSize, tileAt, tilePlace } from "../../geometry/tiles.js";
import { counted, percent } from "../../lib/format.js";
import { inkOf } from "../../lib/pixels.js";

/**
 * How much a map answers: the sum of its squares.
 * @param {Tensor} maps (count, rows, columns)
 * @returns {Float64Array} (count)
 */
export function energies({ shape: [count], data }) {
  const size = data.length / count;
  const sums = new Float64Array(count);
  for (let map = 0, i = 0; map < count; map++)
    for (const end = i + size; i < end; i++) sums[map] += data[i] * data[i];
  return sums;
}

/** What stands beside a map without a value above 0. */
export const DEAD = "dead for this image: 0 everywhere";

/**
 * How many maps are zero everywhere, and how many respond where that was measured.
 * @param {ArrayLike<number>} energy of each map after ReLU
 * @param {number | undefined} responding share of the maps with a value above 0.02, the mean
 *   over the test images; undefined where it was not measured
 * @returns {string} nothing where no map is dead
 */
export function deadWords(energy, responding) {
  const dead = Array.from(energy).filter((sum) => sum === 0).length;
  if (dead === 0) return "";
  const now = `${dead} of ${counted(energy.length, "map")} ${dead === 1 ? "is" : "are"} ${DEAD}.`;
  return responding === undefined
    ? now
    : `${now} For a test image, ${percent(responding, 0)} of the maps rise above 0.02 on average.`;
}

/**
 * The smallest and the largest value of each map.
 * @param {Tensor} maps (count, rows, columns)
 * @returns {{ low: Float32Array, high: Float32Array }} (count) each
 */
export function extremes({ shape: [count], data }) {
  const size = data.length / count;
  const low = new Float32Array(count).fill(Number.POSITIVE_INFINITY);
  const high = new Float32Array(count).fill(Number.NEGATIVE_INFINITY);
  for (let map = 0, i = 0; map < count; map++) {
    for (const end = i + size; i < end; i++) {
      if (data[i] < low[map]) low[map] = data[i];
      if (data[i] > high[map]) high[map] = data[i];
    }
  }
  return { low, high };
}

/**
 * One map of a layer.
 * @template {Float32Array | Float64Array} [Values=Float32Array]
 * @param {{ shape: readonly number[], data: Values }} maps (count, rows, columns)
 * @param {number} map
 * @returns {Values} (rows, columns), a view and no copy
 */
export function mapOf({ shape: [count], data }, map) {
  const size = data.length / count;
  return /** @type {Values} */ (data.subarray(map * size, (map + 1) * size));
}

/**
 * How the slices of a kernel that reads many maps stand: nearly a square.
 * @param {number} count slices
 * @param {{ rows: number, columns: number }} slice
 * @returns {Layout}
 */
export function sliceLayout(count, { rows, columns }) {
  return { count, across: acrossSquare(count), rows, columns, gap: 1 };
}

/**
 * Kernels that read many maps as one picture each: their slices side by side.
 * @param {Tensor} kernels (kernels, slices, rows, columns)
 * @param {Layout} [layout] of at least as many slices
 * @returns {Tensor} (kernels, rows, columns), not a number where no slice stands
 */
export function mosaics(
  { shape: [kernels, slices, rows, columns], data },
  layout = sliceLayout(slices, { rows, columns }),
) {
  const { width, height } = pictureSize(layout);
  const tiles = new Float32Array(kernels * height * width).fill(Number.NaN);
  for (let kernel = 0, from = 0; kernel < kernels; kernel++) {
    for (let slice = 0; slice < slices; slice++) {
      const { x, y } = tilePlace(layout, slice);
      for (let row = 0; row < rows; row++, from += columns) {
        const to = (kernel * height + y + row) * width + x;
        tiles.set(data.subarray(from, from + columns), to);
      }
    }
  }
  return { shape: [kernels, height, width], data: tiles };
}

/**
 * Kernels that read red, green and blue, as pictures in these colours: grey is a weight of
 * zero, and full colour the largest weight.
 * @param {ArrayLike<number>} weights kernel by kernel: a slice for each channel
 * @param {(i: number) => number} mostOf the largest weight that one can have
 * @returns {Float32Array} 0..1, as many
 */
export function inColours(weights, mostOf) {
  return Float32Array.from(weights, (weight, i) => (1 + weight / mostOf(i)) / 2);
}

/**
 * Which weight stands at a cell of a mosaic.
 * @param {Layout} layout @param {Place} cell
 * @param {(slice: number) => string} [nameOf] what a slice is for
 * @returns {string} in words; nothing between slices
 */
export function weightName(
  layout,
  { row, column },
  nameOf = (slice) => `map ${slice}`,
) {
  const slice = tileAt(layout, column, row);
  return slice === null
    ? ""
    : `slice for ${nameOf(slice.tile)}, row ${slice.row}, column ${slice.column}`;
}

/**
 * The image, its channels as maps.
 * @param {Pixels} pixels
 * @returns {Maps & { data: Float64Array }}
 */
export function channelsOf(pixels) {
  const { channels, rows, columns } = pixels;
  return { shape: [channels, rows, columns], data: inkOf(pixels) };
}
