import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clamp,
  differenceOf,
  largestOf,
  meanSquare,
  placesIn,
  ranked,
  reach,
  sum,
} from "../../../static/js/lib/arithmetic.js";

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

test("the reach is the largest magnitude", () => {
  assert.equal(reach([0.5, -3, 2]), 3);
  assert.equal(reach(Float32Array.of(0.5, 2, -1)), 2);
});

test("nothing reaches nowhere", () => {
  assert.deepEqual(ranked([]), []);
  assert.equal(reach([]), 0);
});

test("places are the order turned around", () => {
  assert.deepEqual(placesIn([2, 0, 1]), [1, 2, 0]);
});

test("too much ink is positive, too little is negative", () => {
  assert.deepEqual([...differenceOf([1, 0.25, 0], [0.5, 0.25, 1])], [0.5, 0, -1]);
});

test("the mean square weighs every pixel alike", () => {
  assert.equal(meanSquare([1, -1, 0, 2]), 1.5);
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
