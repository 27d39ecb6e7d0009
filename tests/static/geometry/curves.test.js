import assert from "node:assert/strict";
import { test } from "node:test";
import {
  areaPoints,
  axesIn,
  linePoints,
  placeOn,
  valueOn,
} from "../../../static/js/geometry/curves.js";

const FRAME = { left: 10, right: 110, top: 20, bottom: 70 };
const AXES = axesIn(FRAME, { low: -10, high: 10 }, { low: 0, high: 1 });

test("an axis' ends stand at the frame's, larger values to the right and higher up", () => {
  assert.deepEqual(
    [-10, 0, 10].map((x) => placeOn(AXES.x, x)),
    [10, 60, 110],
  );
  assert.deepEqual(
    [0, 0.5, 1].map((y) => placeOn(AXES.y, y)),
    [70, 45, 20],
  );
});

test("a place on the picture is the value there, kept within the axis", () => {
  for (const x of [-10, -2.5, 0, 10])
    assert.equal(valueOn(AXES.x, placeOn(AXES.x, x)), x);
  assert.equal(valueOn(AXES.x, 0), -10);
  assert.equal(valueOn(AXES.x, 500), 10);
  for (const y of [0, 0.25, 1]) assert.equal(valueOn(AXES.y, placeOn(AXES.y, y)), y);
});

test("each power of ten is as wide on a logarithmic axis, and less stands at its end", () => {
  const axis = { from: 10, to: 310, low: 0.001, high: 1, isLog: true };
  assert.deepEqual(
    [0.001, 0.01, 0.1, 1].map((rate) => Math.round(placeOn(axis, rate))),
    [10, 110, 210, 310],
  );
  assert.equal(placeOn(axis, 0), 10);
});

test("a line need not have equal steps, and its area stands on the low end", () => {
  const xs = [-10, 0, 5];
  assert.equal(linePoints(AXES, xs, [0, 1, 0.5]), "10.0,70.0 60.0,20.0 85.0,45.0");
  assert.equal(
    areaPoints(AXES, xs, [0.5, 1, 0.5]),
    "10.0,70.0 10.0,45.0 60.0,20.0 85.0,45.0 85.0,70.0",
  );
  const signed = axesIn(FRAME, { low: 0, high: 1 }, { low: -1, high: 1 });
  assert.equal(areaPoints(signed, [0], [0]), "10.0,70.0 10.0,45.0 10.0,70.0");
});
