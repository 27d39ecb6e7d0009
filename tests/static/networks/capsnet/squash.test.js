import assert from "node:assert/strict";
import { test } from "node:test";

import {
  lengthsOf,
  squashedLength,
} from "../../../../static/js/networks/capsnet/squash.js";

test("squash halves a vector of length 1", () => {
  assert.equal(squashedLength(1), 0.5);
});

test("squash makes 0.9 of a length of 3", () => {
  assert.equal(squashedLength(3), 0.9);
});

test("squash keeps nothing at nothing, and everything below 1", () => {
  assert.equal(squashedLength(0), 0);
  assert.ok(squashedLength(1000) < 1);
});

test("lengths are those of each vector", () => {
  assert.deepEqual([...lengthsOf([3, 4, 0, 0, -5, 12], 2)], [5, 0, 13]);
});
