import assert from "node:assert/strict";
import { test } from "node:test";

import { linePoints, stepX, valueY } from "../../../static/js/geometry/polyline.js";

const FRAME = { left: 10, right: 30, top: 5, bottom: 45, low: -1, high: 1 };

test("steps stand equally far apart, from end to end", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((index) => stepX(index, 5, FRAME)),
    [10, 15, 20, 25, 30],
  );
});

test("a single step stands in the middle", () => {
  assert.equal(stepX(0, 1, FRAME), 20);
});

test("larger values stand higher up", () => {
  assert.deepEqual(
    [-1, 0, 0.5, 1].map((value) => valueY(value, FRAME)),
    [45, 25, 15, 5],
  );
});

test("a line goes through its values with two decimals", () => {
  assert.equal(linePoints([-1, 1, 1 / 3], FRAME), "10.00,45.00 20.00,5.00 30.00,18.33");
});

test("no values make no line", () => {
  assert.equal(linePoints([], FRAME), "");
});
