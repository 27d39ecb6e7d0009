import assert from "node:assert/strict";
import { test } from "node:test";

import { highOf, rowsOf } from "../../../../../static/js/kinds/routing/em/closeness.js";
import { weightedMean } from "../../../../../static/js/paint/vote-rows.js";

test("the axis ends with the last vote that counts", () => {
  const row = (distances, weights) => ({
    distances: Float64Array.from(distances),
    weights: Float64Array.from(weights),
  });
  assert.equal(highOf([row([1.2, 3.4], [0.9, 0.5]), row([9, 2], [0.001, 0.2])]), 4);
  assert.equal(highOf([row([0.2], [1])]), 1);
});

test("of many capsules the most active have a row, and the one in focus", () => {
  const routed = { parents: 40, iterations: 3, activation: (_, i) => 1 / (1 + i) };
  const rows = rowsOf(routed, 30);
  assert.deepEqual(rows, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 30]);
  assert.deepEqual(rowsOf({ ...routed, parents: 4 }, 2), [0, 1, 2, 3]);
});

test("a mean of distances is weighted; without weights there is none", () => {
  const values = Float32Array.of(1, 3);
  assert.equal(weightedMean(values, Float32Array.of(3, 1)), 1.5);
  assert.equal(weightedMean(values, Float32Array.of(0, 0)), null);
});
