import assert from "node:assert/strict";
import { test } from "node:test";
import {
  areaPoints,
  blindPoints,
  curvePoints,
  graphPoints,
  knobAt,
  knobX,
  LEAST,
  linePoints,
  rateX,
  rocPoints,
  shareY,
  stepX,
  valueY,
  xAt,
  yAt,
} from "../../../static/js/geometry/curves.js";

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

const LINE = { left: 10, right: 30, top: 5, bottom: 45, low: -1, high: 1 };

test("steps stand equally far apart, from end to end", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((index) => stepX(index, 5, LINE)),
    [10, 15, 20, 25, 30],
  );
});

test("a single step stands in the middle", () => {
  assert.equal(stepX(0, 1, LINE), 20);
});

test("larger values stand higher up", () => {
  assert.deepEqual(
    [-1, 0, 0.5, 1].map((value) => valueY(value, LINE)),
    [45, 25, 15, 5],
  );
});

test("a line goes through its values with two decimals", () => {
  assert.equal(linePoints([-1, 1, 1 / 3], LINE), "10.00,45.00 20.00,5.00 30.00,18.33");
});

test("no values make no line", () => {
  assert.equal(linePoints([], LINE), "");
});

const FRAME = { left: 30, right: 130, top: 10, bottom: 60, low: -10, high: 10 };

test("the knob's ends stand at the frame's, 1 above and 0 below", () => {
  assert.deepEqual(
    [-10, 0, 10].map((knob) => knobX(FRAME, knob)),
    [30, 80, 130],
  );
  assert.deepEqual(
    [0, 0.5, 1].map((share) => shareY(FRAME, share)),
    [60, 35, 10],
  );
});

test("a place on the picture is the knob's value there, kept within its limits", () => {
  for (const knob of [-10, -2.5, 0, 10])
    assert.equal(knobAt(FRAME, knobX(FRAME, knob)), knob);
  assert.equal(knobAt(FRAME, 0), -10);
  assert.equal(knobAt(FRAME, 500), 10);
});

test("a curve need not have equal steps, and its area stands on 0", () => {
  const knobs = [-10, 0, 5];
  assert.equal(
    curvePoints(FRAME, knobs, [0, 1, 0.5]),
    "30.0,60.0 80.0,10.0 105.0,35.0",
  );
  assert.equal(
    areaPoints(FRAME, knobs, [0.5, 1, 0.5]),
    "30.0,60.0 30.0,35.0 80.0,10.0 105.0,35.0 105.0,60.0",
  );
});

const ROC = { left: 10, right: 310, top: 0, bottom: 100 };

test("each power of ten of the rate is as wide, and rarer alarms stand at the edge", () => {
  assert.deepEqual(
    [LEAST, 0.01, 0.1, 1].map((rate) => Math.round(rateX(ROC, rate))),
    [10, 110, 210, 310],
  );
  assert.equal(rateX(ROC, 0), 10);
});

test("a curve ends where every image raises the alarm", () => {
  assert.equal(
    rocPoints(ROC, [0.01, 0.1], [0.25, 1]),
    "110.0,75.0 210.0,0.0 310.0,0.0",
  );
});

test("a blind alarm finds as many as it raises for nothing", () => {
  const points = blindPoints(ROC)
    .split(" ")
    .map((point) => point.split(",").map(Number));
  for (const [x, y] of points) {
    const rate = LEAST ** (1 - (x - 10) / 300);
    assert.ok(Math.abs(y - 100 * (1 - rate)) < 0.2);
  }
  assert.equal(points.at(-1)?.join(), "310,0");
});
