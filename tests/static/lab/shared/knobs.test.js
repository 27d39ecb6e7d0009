import assert from "node:assert/strict";
import { test } from "node:test";
import { KNOBS as LIGHT } from "../../../../static/js/lab/light/experiment.js";
import { KNOBS as POSE } from "../../../../static/js/lab/pose/experiment.js";
import { rounded, steppedTo } from "../../../../static/js/lab/shared/curve.js";
import { evenly, knobWords } from "../../../../static/js/lab/shared/knobs.js";

for (const [what, knobs] of Object.entries({ Pose: POSE, "Ground and light": LIGHT })) {
  test(`every sweep of ${what} holds the start and spans the knob`, () => {
    for (const { id, low, high, start, sweep } of knobs) {
      assert.ok(sweep.includes(start), id);
      assert.deepEqual([sweep[0], sweep[sweep.length - 1]], [low, high], id);
      assert.deepEqual(
        sweep.toSorted((a, b) => a - b),
        sweep,
        id,
      );
      assert.ok(sweep.length <= 256, id);
    }
  });
}

test("values are written without zeros at their end", () => {
  const degrees = { unit: "°", decimals: 1 };
  assert.deepEqual(
    [-37.5, 30, 0, 100].map((value) => knobWords(degrees, value)),
    ["−37.5°", "30°", "0°", "100°"],
  );
  assert.equal(knobWords({ unit: " px", decimals: 0 }, 10), "10 px");
  assert.equal(knobWords({ unit: "", decimals: 2 }, 1.1), "1.1");
});

test("values from low to high", () => {
  assert.deepEqual(evenly(-0.1, 0.2, 0.1), [-0.1, 0, 0.1, 0.2]);
});

test("keys move a curve's knob by its step, in large steps and to its ends", () => {
  const axis = { low: -10, high: 10, step: 0.5 };
  const keys = ["ArrowRight", "ArrowDown", "PageUp", "Home", "End", "a"];
  assert.deepEqual(
    keys.map((key) => steppedTo(key, 1, axis)),
    [1.5, 0.5, 2.5, -10, 10, null],
  );
  assert.equal(steppedTo("ArrowRight", 10, axis), 10);
  assert.equal(rounded(3.3, 0.5), 3.5);
});
