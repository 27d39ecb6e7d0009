import assert from "node:assert/strict";
import { test } from "node:test";
import { clamp, largestOf, ranked, sum } from "../../../static/js/lib/arithmetic.js";

test("the largest comes first", () => {
  assert.deepEqual(ranked(Float32Array.of(0.1, 0.9, -2, 0.5)), [1, 3, 0, 2]);
});

test("the largest is found, and the first of equals", () => {
  assert.equal(largestOf(Float32Array.of(0.1, 0.9, -2, 0.9)), 1);
  assert.equal(largestOf([-3, -1, -2]), 1);
  assert.equal(largestOf([0, 0]), 0);
});

test("equal values keep their order", () => {
  assert.deepEqual(ranked([1, 2, 1, 2]), [1, 3, 0, 2]);
});

test("a sum is that of all values, in double precision", () => {
  assert.equal(sum([]), 0);
  assert.equal(sum([1, -2, 4]), 3);
  assert.equal(sum(Float32Array.of(2 ** 24, 1, 1)), 2 ** 24 + 2);
});

test("what lies beyond an end becomes the end", () => {
  assert.deepEqual(
    [-3, 0.5, 7].map((value) => clamp(value, 0, 1)),
    [0, 0.5, 1],
  );
});
