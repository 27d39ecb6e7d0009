import assert from "node:assert/strict";
import { test } from "node:test";

import { paintArrow, paintFan, widthOf } from "../../../static/js/paint/arrows.js";

const FRAME = { x: 200, y: 150, unit: 100 };

test("what votes make lies on top of them, the last on top of all, and then words", () => {
  /** @type {string[]} */
  const painted = [];
  const context = {
    beginPath() {},
    moveTo() {},
    lineTo() {},
    arc() {},
    strokeText() {},
    measureText: (text) => ({ width: 7 * text.length }),
    stroke() {
      painted.push(String(this.strokeStyle));
    },
    fill() {},
    fillText: (text) => painted.push(text),
  };
  const colors = { loss: "#2166ac", even: "#c3c5cb", gain: "#b2182b", text: "black" };
  const made = [
    { end: Float32Array.of(0.8, 0.1), name: "mean", color: "black" },
    { end: Float32Array.of(0.7, 0.1), name: "v of 4", color: "blue" },
  ];
  const fan = {
    tips: Float32Array.of(1, 0.2, -1, 0),
    weights: Float32Array.of(0.3, 0.1),
    tints: Float32Array.of(1, -1),
    chosen: -1,
    pointed: -1,
    made,
    unit: { text: "length 1", places: [{ x: 100, y: 40 }] },
  };
  paintFan(context, fan, FRAME, colors, "sans", { width: 400, height: 300 });
  assert.deepEqual(painted.slice(2), [
    "black",
    "blue",
    "v of 4",
    "mean",
    "0.30",
    "0.10",
    "length 1",
  ]);
});

test("an arrow ends at its tip, and one of no length is not drawn", () => {
  const points = [];
  const context = {
    beginPath: () => {},
    moveTo: (x, y) => points.push([x, y]),
    lineTo: (x, y) => points.push([x, y]),
    stroke: () => {},
    fill: () => {},
  };
  paintArrow(context, FRAME, FRAME, 3);
  assert.deepEqual(points, []);
  const tip = { x: 290, y: 60 };
  paintArrow(context, FRAME, tip, 3);
  const far = ([x, y]) => Math.hypot(x - FRAME.x, y - FRAME.y);
  const furthest = points.reduce((a, b) => (far(b) > far(a) ? b : a));
  assert.deepEqual(furthest, [tip.x, tip.y]);
});

test("arrows are wider, the larger their coupling", () => {
  assert.ok(widthOf(0) > 0);
  assert.ok(Math.abs(widthOf(1) - widthOf(0.5) - (widthOf(0.5) - widthOf(0))) < 1e-9);
});
