import assert from "node:assert/strict";
import { test } from "node:test";
import { symmetricEigen } from "../../../static/js/lib/principal.js";
import { closeTo, seededRandom } from "../fixtures.js";

const assertClose = closeTo(1e-9);

function dot(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** Symmetric, of any signs. */
function randomSymmetric(size, seed) {
  const random = seededRandom(seed);
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      matrix[i * size + j] = matrix[j * size + i] = random() - 0.5;
    }
  }
  return matrix;
}

for (const size of [1, 3, 16]) {
  test(`${size} vectors turn into multiples of themselves, and are orthonormal`, () => {
    const matrix = randomSymmetric(size, size);
    const { values, vectors } = symmetricEigen(matrix, size);
    vectors.forEach((vector, k) => {
      for (let row = 0; row < size; row++) {
        const turned = dot(matrix.subarray(row * size, (row + 1) * size), vector);
        assertClose(turned, values[k] * vector[row], 1e-10);
      }
      vectors.forEach((other, l) => {
        assertClose(dot(vector, other), k === l ? 1 : 0, 1e-12);
      });
    });
    for (let k = 1; k < size; k++) assert.ok(values[k - 1] >= values[k]);
  });
}
