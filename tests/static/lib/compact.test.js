import assert from "node:assert/strict";
import { test } from "node:test";

import { bare, compact } from "../../../static/js/lib/compact.js";

const CASES = [
  [0.131, 3, ".131"],
  [-0.131, 3, "−.131"],
  [0.65, 2, ".65"],
  [0, 3, "0"],
  [1, 2, "1"],
  [-0.0001, 3, ".000"],
  [1.254, 3, "1.25"],
  [-12.34, 3, "−12.3"],
  [4321.5, 3, "4322"],
];

for (const [value, decimals, text] of CASES) {
  test(`${value} with ${decimals} decimals is ${text}`, () => {
    assert.equal(compact(value, decimals), text);
  });
}

for (const [value, decimals, text] of [
  [-0.131, 4, "−.1310"],
  [0, 2, ".00"],
  [-0.00001, 4, ".0000"],
  [12.5, 2, "12.50"],
  [10.06, 1, "10.1"],
]) {
  test(`${value} without the zero before its point is ${text}`, () => {
    assert.equal(bare(value, decimals), text);
  });
}
