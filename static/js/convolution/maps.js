/**
 * What is true of each map of a layer as a whole.
 * @import { Tensor } from "../types.js"
 */

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
 * @param {Tensor} maps (count, rows, columns)
 * @param {number} map
 * @returns {Float32Array} (rows, columns), a view and no copy
 */
export function mapOf({ shape: [count], data }, map) {
  const size = data.length / count;
  return data.subarray(map * size, (map + 1) * size);
}
