import assert from "node:assert/strict";
import { test } from "node:test";

import { graphPoints, xAt, yAt } from "../../../static/js/geometry/axes.js";

const AXES = { left: 10, right: 110, top: 20, bottom: 70, xEnd: 4, yEnd: 1 };

test("zero stands at the left and at the bottom", () => {
  assert.equal(xAt(AXES, 0), 10);
  assert.equal(yAt(AXES, 0), 70);
});

test("the axes' ends stand at the right and at the top", () => {
  assert.equal(xAt(AXES, 4), 110);
  assert.equal(yAt(AXES, 1), 20);
});

test("a graph runs over the whole axis in equal steps", () => {
  const points = graphPoints(AXES, (x) => x / 4, 2);
  assert.equal(points, "10.00,70.00 60.00,45.00 110.00,20.00");
});
