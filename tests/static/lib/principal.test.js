import assert from "node:assert/strict";
import { test } from "node:test";
import {
  principalPlane,
  projected,
  symmetricEigen,
} from "../../../static/js/lib/principal.js";
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

test("the matrix is left as it is", () => {
  const matrix = randomSymmetric(5, 3);
  const before = matrix.slice();
  symmetricEigen(matrix, 5);
  assert.deepEqual(matrix, before);
});

/** Points with spreads of 4, 2, 1 ... along the axes, around (1, 1, ...). */
function cloud(count, dim, seed) {
  const random = seededRandom(seed);
  return Float32Array.from(
    { length: count * dim },
    (_, i) => 1 + (random() - 0.5) * 2 ** (2 - (i % dim)),
  );
}

test("the plane is spanned by the directions of the largest spread", () => {
  const { right, up, rightShare, upShare } = principalPlane(cloud(4000, 4, 9), 4);
  assert.ok(right[0] > 0.99);
  assert.ok(up[1] > 0.99);
  // Variances of 16, 4, 1, 1/4 times the same.
  assertClose(rightShare, 16 / 21.25, 0.02);
  assertClose(upShare, 4 / 21.25, 0.02);
});

test("both directions point to where the mean is", () => {
  const points = cloud(500, 3, 7);
  for (const sign of [1, -1]) {
    const turned = points.map((value) => sign * value);
    const { right, up } = principalPlane(turned, 3);
    const mean = [0, 1, 2].map((d) => turned.filter((_, i) => i % 3 === d));
    const sums = mean.map((values) => values.reduce((a, b) => a + b));
    assert.ok(dot(right, sums) > 0);
    assert.ok(dot(up, sums) > 0);
  }
});

test("where the mean is neither way, the largest number is positive", () => {
  const { right } = principalPlane(Float32Array.of(-3, 1, 3, -1, 0, 0), 2);
  assert.ok(right[0] > 0 && right[1] < 0);
});

test("points that are all alike have no variance to share", () => {
  const { rightShare, upShare } = principalPlane(new Float32Array(30).fill(0.5), 3);
  assert.deepEqual([rightShare, upShare], [0, 0]);
});

test("projections are dot products", () => {
  const plane = { right: Float64Array.of(0.6, 0.8), up: Float64Array.of(-0.8, 0.6) };
  const places = projected(Float32Array.of(1, 0, 0, 1, 5, 5), plane);
  assert.deepEqual(places, Float32Array.of(0.6, -0.8, 0.8, 0.6, 7, -1));
});
