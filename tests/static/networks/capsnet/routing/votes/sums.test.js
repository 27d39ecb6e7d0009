import assert from "node:assert/strict";
import { test } from "node:test";

import {
  strongest,
  weighVotes,
} from "../../../../../../static/js/networks/capsnet/routing/votes/sums.js";
import { seededRandom } from "../../../../fixtures.js";

test("votes are weighed by hand", () => {
  const votes = Float32Array.of(1, 0, 0, 2, -4, 4);
  const { sum, mean } = weighVotes(votes, Float32Array.of(0.5, 0.25, 0.25));
  assert.deepEqual([...sum], [-0.5, 1.5]);
  assert.deepEqual([...mean], [-0.5, 1.5]);
  const half = weighVotes(votes, Float32Array.of(0, 0.5, 0));
  assert.deepEqual([...half.sum], [0, 1]);
  assert.deepEqual([...half.mean], [0, 2]);
});

test("votes that count for nothing have no mean", () => {
  const { mean } = weighVotes(Float32Array.of(1, 2), Float32Array.of(0));
  assert.deepEqual([...mean], [0, 0]);
});

test("the strongest come first, whichever way they pull", () => {
  assert.deepEqual(strongest(Float32Array.of(0.5, -2, 1, 0), 3), [1, 2, 0]);
});

test("the strongest are those that sorting finds", () => {
  const random = seededRandom(11);
  const evidence = Float32Array.from({ length: 200 }, () => random() - 0.5);
  const sorted = [...evidence.keys()].sort(
    (i, j) => Math.abs(evidence[j]) - Math.abs(evidence[i]),
  );
  assert.deepEqual(strongest(evidence, 8), sorted.slice(0, 8));
});

test("of fewer than are asked for all come", () => {
  assert.deepEqual(strongest(Float32Array.of(1, -3), 8), [1, 0]);
});
