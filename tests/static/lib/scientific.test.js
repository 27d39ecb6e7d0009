import assert from "node:assert/strict";
import { test } from "node:test";

import { exactShare, powerOfE } from "../../../static/js/lib/scientific.js";

const power = (factor, exponent) => `${factor}\u00a0×\u00a010${exponent}`;

for (const [given, expected] of [
  [0, "1.00"],
  [1, "2.72"],
  [Math.log(150), "150"],
  [-1, "0.368"],
  [Math.log(0.00149), "0.00149"],
  [Math.log(0.000149), power("1.49", "⁻⁴")],
  [20, power("4.85", "⁸")],
  // e^1000 is Infinity to a double, e^-1000 is 0.
  [1000, power("1.97", "⁴³⁴")],
  [-1000, power("5.08", "⁻⁴³⁵")],
  [Math.log(9.999e7), power("1.00", "⁸")],
])
  test(`e to the ${given} is ${expected}`, () => {
    assert.equal(powerOfE(given), expected);
  });

for (const [given, expected] of [
  [0, "0.0000"],
  [0.25, "0.2500"],
  [0.00005, "0.0001"],
  [0.000002, power("2.0", "⁻⁶")],
  [0.9999, "0.9999"],
  [0.999993, "0.999993"],
  [0.99999999, "1.0000000"],
  [1, "1.0000"],
])
  test(`a share of ${given} is written ${expected}`, () => {
    assert.equal(exactShare(given), expected);
  });
