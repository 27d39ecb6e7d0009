import assert from "node:assert/strict";
import { test } from "node:test";
import {
  blindPoints,
  LEAST,
  rateX,
  rocPoints,
} from "../../../static/js/geometry/roc.js";

const FRAME = { left: 10, right: 310, top: 0, bottom: 100 };

test("each power of ten of the rate is as wide, and rarer alarms stand at the edge", () => {
  assert.deepEqual(
    [LEAST, 0.01, 0.1, 1].map((rate) => Math.round(rateX(FRAME, rate))),
    [10, 110, 210, 310],
  );
  assert.equal(rateX(FRAME, 0), 10);
});

test("a curve ends where every image raises the alarm", () => {
  assert.equal(
    rocPoints(FRAME, [0.01, 0.1], [0.25, 1]),
    "110.0,75.0 210.0,0.0 310.0,0.0",
  );
});

test("a blind alarm finds as many as it raises for nothing", () => {
  const points = blindPoints(FRAME)
    .split(" ")
    .map((point) => point.split(",").map(Number));
  for (const [x, y] of points) {
    const rate = LEAST ** (1 - (x - 10) / 300);
    assert.ok(Math.abs(y - 100 * (1 - rate)) < 0.2);
  }
  assert.equal(points.at(-1)?.join(), "310,0");
});
