import assert from "node:assert/strict";
import { test } from "node:test";

import {
  measureOutlier,
  needsReconstruction,
} from "../../../static/js/lib/outliers.js";

// Worked by hand; tests/model/measuring/test_outliers.py has the same numbers.
const ANSWER = {
  ink: [1, 1, 0, 0],
  reconstruction: [0.5, 1, 0.5, 0],
  scores: [0.2, 0.9, 0.6],
};
const MEASURED = {
  error: 0.125, // (0.25 + 0 + 0.25 + 0) / 4
  relative: 0.25, // 0.5 / 2
  angle: 0.1339746, // 1 - 1.5 / sqrt(2 · 1.5)
  score: 0.1,
  gap: 0.7,
};

for (const [name, value] of Object.entries(MEASURED)) {
  test(`${name} is what it says`, () => {
    assert.ok(Math.abs(measureOutlier(name, ANSWER) - value) < 1e-6);
  });
}

test("an empty image measures a finite number", () => {
  const nothing = { ...ANSWER, ink: [0, 0, 0, 0] };
  assert.equal(measureOutlier("relative", nothing), 1.5);
  assert.equal(measureOutlier("angle", nothing), 1);
});

test("without a reconstruction only scores can be measured", () => {
  const scored = { ...ANSWER, reconstruction: null };
  for (const name of Object.keys(MEASURED)) {
    assert.equal(measureOutlier(name, scored) === null, needsReconstruction(name));
  }
});

test("a measure that the page does not know measures nothing", () => {
  assert.equal(measureOutlier("colour", ANSWER), null);
});
