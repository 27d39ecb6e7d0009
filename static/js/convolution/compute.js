/**
 * A convolution as networks compute it, which mathematics calls a cross-correlation: the
 * kernel is not turned around. No padding, one pixel a step.
 */

/**
 * @typedef {object} Kernel
 * @property {ArrayLike<number>} weights (size, size), row by row
 * @property {number} bias added to every sum
 */

/**
 * @typedef {object} Worked
 * @property {Float64Array} patch (size, size), what lies under the kernel
 * @property {Float64Array} products patch times kernel, cell by cell
 * @property {number} sum of the products
 * @property {number} before ReLU: sum plus bias
 * @property {number} after ReLU
 */

/**
 * One pixel of the map, with everything that leads to it.
 * @param {ArrayLike<number>} picture a square of values, row by row
 * @param {number} side of the picture
 * @param {Kernel} kernel
 * @param {{ row: number, column: number, size: number }} field what lies under the kernel
 * @returns {Worked}
 */
export function workOut(picture, side, { weights, bias }, { row, column, size }) {
  const patch = new Float64Array(size * size);
  const products = new Float64Array(size * size);
  let sum = 0;
  for (let i = 0; i < patch.length; i++) {
    patch[i] = picture[(row + Math.floor(i / size)) * side + column + (i % size)];
    products[i] = patch[i] * weights[i];
    sum += products[i];
  }
  const before = sum + bias;
  return { patch, products, sum, before, after: Math.max(0, before) };
}

/**
 * The whole map before ReLU.
 * @param {ArrayLike<number>} picture a square of values, row by row
 * @param {number} side of the picture
 * @param {Kernel} kernel
 * @param {number} size of the kernel, at most `side`
 * @returns {Float32Array} (side - size + 1, side - size + 1)
 */
export function convolve(picture, side, { weights, bias }, size) {
  const across = side - size + 1;
  const map = new Float32Array(across * across);
  for (let row = 0, to = 0; row < across; row++) {
    for (let column = 0; column < across; column++) {
      let sum = bias;
      for (let y = 0, at = 0; y < size; y++) {
        const from = (row + y) * side + column;
        for (let x = 0; x < size; x++) sum += picture[from + x] * weights[at++];
      }
      map[to++] = sum;
    }
  }
  return map;
}

/**
 * What is above zero, and zero for the rest.
 * @param {Float32Array} values
 * @returns {Float32Array}
 */
export function relu(values) {
  const above = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) if (values[i] > 0) above[i] = values[i];
  return above;
}
