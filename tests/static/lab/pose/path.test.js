import assert from "node:assert/strict";
import { test } from "node:test";
import {
  angleBetween,
  correlations,
  pathPlane,
  reach,
} from "../../../../static/js/lab/pose/path.js";
import { projected, symmetricEigen } from "../../../../static/js/lib/principal.js";
import { closeTo, seededRandom } from "../../fixtures.js";

const near = closeTo(1e-5);

test("an angle is that of the directions, whatever the lengths", () => {
  near(angleBetween([2, 0], [3, 3]), 45);
  near(angleBetween([1, 0], [-5, 0]), 180);
  assert.equal(angleBetween([0, 0], [1, 0]), 0);
});

test("the plane is that of the covariance", () => {
  const random = seededRandom(7);
  const [count, dim] = [9, 5];
  const points = Float32Array.from({ length: count * dim }, () => random() - 0.5);
  for (let d = 0; d < dim; d++) {
    let mean = 0;
    for (let i = 0; i < count; i++) mean += points[i * dim + d] / count;
    for (let i = 0; i < count; i++) points[i * dim + d] -= mean;
  }
  const covariance = new Float64Array(dim * dim);
  for (let at = 0; at < points.length; at += dim)
    for (let i = 0; i < dim; i++)
      for (let j = 0; j < dim; j++)
        covariance[i * dim + j] += points[at + i] * points[at + j];
  const { values, vectors } = symmetricEigen(covariance, dim);
  const total = values.reduce((sum, value) => sum + value);
  const { places, shares } = pathPlane(points, dim);
  near(shares[0], values[0] / total);
  near(shares[1], values[1] / total);
  const [right, up] = vectors;
  projected(points, { right, up }).forEach((value, i) => {
    near(Math.abs(places[i]), Math.abs(value), 1e-4);
  });
});

test("a closed path is not mirrored by what its ends differ by", () => {
  const [positive, negative] = [1e-6, -1e-6].map(
    (end) => pathPlane([0, 0, 2, 1, 5, -1, 2, -2, end, end], 2).places,
  );
  for (const [i, value] of positive.entries()) near(value, negative[i], 1e-4);
  assert.ok(positive[4] > 0); // the third point is the farthest
});

test("a vector that stays has no variance to share", () => {
  const { places, shares } = pathPlane([1, 2, 1, 2], 2);
  assert.deepEqual(shares, [0, 0]);
  assert.ok(places.every((coordinate) => coordinate === 0));
});

test("how far a path reaches, in its own lengths at the start", () => {
  const points = [3, 4, 3, 4, 3, -1, 30, 40];
  assert.equal(reach(points, 2, 0, 0, 2), 1);
  assert.equal(reach(points, 2, 0, 0, 3), 9);
  assert.equal(reach(points, 2, 1, 1, 1), 0);
  assert.ok(!Number.isFinite(reach([0, 0, 1, 0], 2, 0, 0, 1)));
});

test("numbers follow, go against, or stay", () => {
  const points = [1, 5, 7, 2, 3, 7, 3, 1, 7, 9, 9, 9];
  assert.deepEqual(correlations(points, 3, [10, 20, 30, 40], 0, 2), [1, -1, null]);
});

test("a correlation worked out by hand", () => {
  // Away from the means: -1 0 1 and -1 2 -1, so 0; and -4/3 -1/3 5/3: 3 / sqrt(2 * 42/9).
  const values = correlations([0, 0, 3, 1, 0, 3], 2, [1, 2, 3], 0, 2);
  near(values[0], 0);
  near(values[1], 3 / Math.sqrt(2 * (42 / 9)));
});
