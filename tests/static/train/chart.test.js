import assert from "node:assert/strict";
import { test } from "node:test";
import { levelsOf } from "../../../static/js/train/chart.js";

const SHARES = { least: 0.001, most: 1 };

for (const [what, values, levels, zero] of [
  ["nothing yet", [], [0.1, 0.3, 1], null],
  ["all misread", [1], [0.1, 0.3, 1], null],
  ["few misread", [0.5, 0.02], [0.01, 0.03, 0.1, 0.3, 1], null],
  ["fewer than can be told", [0.0001], [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1], null],
  ["none misread at last", [0.5, 0], [0.03, 0.1, 0.3, 1], 0.03],
])
  test(`shares of misread images have levels up to all: ${what}`, () => {
    assert.deepEqual(levelsOf(values, SHARES), { levels, zero });
  });

test("a loss has levels around its values alone", () => {
  assert.deepEqual(levelsOf([0.2, 2], { least: 0.01 }).levels, [0.1, 0.3, 1, 3]);
});
