import assert from "node:assert/strict";
import { test } from "node:test";
import { readAt, rounded, steppedTo } from "../../../static/js/draw/plot.js";
import { seededRandom } from "../fixtures.js";

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

test("the readout says values where they are, and the place at which they are", () => {
  const plot = {
    x: {
      low: 0,
      high: 4,
      ticks: [0, 4],
      title: "Turn, °",
      unit: "°",
      write: String,
    },
    y: UNITS,
    lines: [
      { x: [0, 2, 2.75, 4], y: [0.1, 0.24, 0.26, 0.3], name: "length" },
      { x: [0, 4], y: [0.5, 0.75], name: "right", write: (y) => `${100 * y} %` },
      { x: [0, 4], y: [0, 1] },
      { x: [], y: [], name: "none yet" },
    ],
  };
  assert.equal(readAt(plot, 2.75), "Turn 2.75°: length 0.3, right 75 % (at 4°)");
  assert.equal(readAt(plot, 2.3), "Turn 2°: length 0.2, right 50 % (at 0°)");
  assert.equal(readAt(plot, 3.9), "Turn 4°: length 0.3, right 75 %");
  assert.equal(readAt({ ...plot, lines: [] }, 1), "Turn 1°");
});

test("whatever the place, the readout writes a place and the line’s value there", () => {
  const random = seededRandom(5);
  for (let run = 0; run < 200; run++) {
    const x = Array.from({ length: 1 + (run % 9) }, () =>
      Number(random().toFixed(3)),
    ).sort((a, b) => a - b);
    const y = x.map((value) => 1 - value);
    const plot = {
      x: { low: 0, high: 1, ticks: [0, 1], write: String },
      y: { ...UNITS, write: String },
      lines: [{ x, y, name: "Net" }],
    };
    const [, place, value] = /^([\d.]+): Net (.+)$/.exec(readAt(plot, random()));
    assert.equal(String(1 - Number(place)), value);
  }
});
