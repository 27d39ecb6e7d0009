import assert from "node:assert/strict";
import { test } from "node:test";

import { compact } from "../../static/js/lib/compact.js";

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
