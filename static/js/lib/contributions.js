/**
 * One number of a primary capsule as the sum that it is: what each map of Conv1 adds.
 * @import { Field, Tensor } from "../types.js"
 */
import { mapOf } from "./maps.js";

/**
 * @typedef {object} Contributions
 * @property {Float32Array} windows (maps, size, size), what lies beneath on each map
 * @property {Float32Array} weights (maps, size, size), the number's kernel
 * @property {Float32Array} products (maps, size, size), cell by cell
 * @property {Float64Array} shares (maps), the sum of each map's products
 * @property {number} bias
 * @property {number} total all shares and the bias: the number before squash
 */

/**
 * @param {Tensor} maps (maps, rows, columns), square
 * @param {{ kernels: Tensor, bias: Tensor }} layer kernels: (numbers, maps, size, size)
 * @param {number} number which of the capsule's
 * @param {Field} window of the capsule, in pixels of the maps
 * @returns {Contributions}
 */
export function contributions(maps, { kernels, bias }, number, window) {
  const [count, side] = maps.shape;
  const cells = window.size ** 2;
  const weights = mapOf(kernels, number);
  const windows = new Float32Array(count * cells);
  const products = new Float32Array(count * cells);
  const shares = new Float64Array(count);
  for (let map = 0, at = 0; map < count; map++) {
    for (let row = 0; row < window.size; row++) {
      let from = (map * side + window.row + row) * side + window.column;
      for (const end = from + window.size; from < end; from++, at++) {
        const product = maps.data[from] * weights[at];
        windows[at] = maps.data[from];
        products[at] = product;
        shares[map] += product;
      }
    }
  }
  const total = shares.reduce((sum, share) => sum + share, bias.data[number]);
  return { windows, weights, products, shares, bias: bias.data[number], total };
}
