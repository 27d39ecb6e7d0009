import assert from "node:assert/strict";
import { test } from "node:test";
import { readAt, rounded, steppedTo } from "../../../static/js/draw/plot.js";

test("keys move by a step, in large steps and to the ends of the axis", () => {
  const axis = { low: -10, high: 10, step: 0.5 };
  const keys = ["ArrowRight", "ArrowDown", "PageUp", "Home", "End", "a"];
  assert.deepEqual(
    keys.map((key) => steppedTo(key, 1, axis)),
    [1.5, 0.5, 2.5, -10, 10, null],
  );
  assert.equal(steppedTo("ArrowRight", 10, axis), 10);
  assert.equal(rounded(3.3, 0.5), 3.5);
  assert.equal(rounded(3.3), 3.3);
});

const UNITS = { low: 0, high: 1, ticks: [0, 0.5, 1] };

test("the readout has each named line's value at its own nearest place", () => {
  const plot = {
    x: { low: 0, high: 4, ticks: [0, 4], title: "turn", write: (x) => `${x}°` },
    y: UNITS,
    lines: [
      { x: [0, 2, 4], y: [0.1, 0.24, 0.3], name: "length" },
      { x: [0, 4], y: [0.5, 0.75], name: "right", write: (y) => `${100 * y} %` },
      { x: [0, 4], y: [0, 1] },
      { x: [], y: [], name: "none yet" },
    ],
  };
  assert.equal(readAt(plot, 2.9), "turn 2.9°: length 0.2, right 75 %");
  assert.equal(readAt({ ...plot, lines: [] }, 1), "turn 1°");
});
