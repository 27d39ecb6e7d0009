import assert from "node:assert/strict";
import { test } from "node:test";
import { KNOBS } from "../../../../static/js/lab/pose/knobs.js";
import { evenly, knobWords } from "../../../../static/js/lab/shared/knobs.js";

test("every sweep holds the start and spans the knob", () => {
  for (const { id, low, high, start, sweep } of KNOBS) {
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
