/**
 * One output of a convolution as the sum that it is: what each map below adds.
 * @import { Field, Tensor } from "../../types.js"
 * @import { DeepKernels } from "../types.js"
 */
import { mapOf } from "../maps.js";

/**
 * @typedef {object} Contributions
 * @property {Float32Array} windows (maps, size, size), what lies beneath it on each map
 * @property {Float32Array} weights (maps, size, size), its kernel: a slice for each map
 * @property {Float32Array} products (maps, size, size), cell by cell
 * @property {Float64Array} shares (maps), the sum of each map's products
 * @property {number} bias
 * @property {number} total all shares and the bias
 */

/**
 * @param {Tensor} maps (maps, rows, columns), square
 * @param {DeepKernels} layer what reads these maps
 * @param {number} kernel which of its kernels
 * @param {Field} window where the kernel lies, in pixels of the maps
 * @returns {Contributions}
 */
export function contributions(maps, { kernels, bias }, kernel, window) {
  const [count, side] = maps.shape;
  const cells = window.size ** 2;
  const weights = mapOf(kernels, kernel);
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
  const total = shares.reduce((sum, share) => sum + share, bias.data[kernel]);
  return { windows, weights, products, shares, bias: bias.data[kernel], total };
}
