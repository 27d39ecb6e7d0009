/** One pixel of a convolution, worked out step by step. */

/**
 * @typedef {object} Worked
 * @property {Float64Array} patch (size, size), ink in 0..1
 * @property {Float64Array} products patch times kernel, cell by cell
 * @property {number} sum of the products
 * @property {number} before ReLU: sum plus bias
 * @property {number} after ReLU
 */

/**
 * @param {Uint8Array} pixels bytes of a square picture, row by row; 255 is ink
 * @param {number} side of the picture
 * @param {{ weights: ArrayLike<number>, bias: number }} kernel weights: (size, size)
 * @param {{ row: number, column: number, size: number }} field what lies under the kernel
 * @returns {Worked}
 */
export function workOut(pixels, side, { weights, bias }, { row, column, size }) {
  const patch = new Float64Array(size * size);
  const products = new Float64Array(size * size);
  let sum = 0;
  for (let i = 0; i < patch.length; i++) {
    const at = (row + Math.floor(i / size)) * side + column + (i % size);
    patch[i] = pixels[at] / 255;
    products[i] = patch[i] * weights[i];
    sum += products[i];
  }
  const before = sum + bias;
  return { patch, products, sum, before, after: Math.max(0, before) };
}
