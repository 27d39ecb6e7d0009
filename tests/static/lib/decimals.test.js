import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bare,
  compact,
  exactShare,
  powerOfE,
  restOf,
  tickDecimals,
  ticksTo,
} from "../../../static/js/lib/decimals.js";
import { seededRandom } from "../fixtures.js";

test("with any number of parts the sum comes out, and the rest is near the true one", () => {
  const random = seededRandom(10);
  for (let round = 0; round < 500; round++) {
    const parts = Array.from(
      { length: Math.floor(10 * random()) },
      () => random() - 0.5,
    );
    const total = 4 * random() - 2;
    const rest = restOf(total, parts, 3);
    const sum = parts.reduce((all, part) => all + Number(part.toFixed(3)), rest);
    assert.equal(sum.toFixed(3), (Number(total.toFixed(3)) + 0).toFixed(3));
    const truth = parts.reduce((remainder, part) => remainder - part, total);
    assert.ok(Math.abs(rest - truth) <= 0.0005 * (parts.length + 1) + 1e-9);
  }
});

const COMPACT = [
  [0.131, 3, ".131"],
  [0.65, 2, ".65"],
  [0, 3, "0"],
  [-0.0001, 3, ".000"],
  [1.254, 3, "1.25"],
  [4321.5, 3, "4322"],
];

for (const [value, decimals, text] of COMPACT) {
  test(`${value} with ${decimals} decimals is ${text}`, () => {
    assert.equal(compact(value, decimals), text);
  });
}

for (const [value, decimals, text] of [
  [-0.131, 4, "−.1310"],
  [0, 2, ".00"],
  [-0.00001, 4, ".0000"],
  [12.5, 2, "12.50"],
]) {
  test(`${value} without the zero before its point is ${text}`, () => {
    assert.equal(bare(value, decimals), text);
  });
}

const power = (factor, exponent) => `${factor}\u00a0×\u00a010${exponent}`;

for (const [exponent, expected] of [
  [0, "1.00"],
  [Math.log(150), "150"],
  [Math.log(0.00149), "0.00149"],
  [Math.log(0.000149), power("1.49", "⁻⁴")],
  [20, power("4.85", "⁸")],
  // e^1000 is Infinity to a double, e^-1000 is 0.
  [1000, power("1.97", "⁴³⁴")],
  [-1000, power("5.08", "⁻⁴³⁵")],
  [Math.log(9.999e7), power("1.00", "⁸")],
])
  test(`e to the ${exponent} is ${expected}`, () => {
    assert.equal(powerOfE(exponent), expected);
  });

for (const [share, expected] of [
  [0, "0.0000"],
  [0.00005, "0.0001"],
  [0.000002, power("2.0", "⁻⁶")],
  [0.999993, "0.999993"],
  [0.99999999, "1.0000000"],
  [1, "1.0000"],
])
  test(`a share of ${share} is written ${expected}`, () => {
    assert.equal(exactShare(share), expected);
  });

const TICKS = [
  [3.97, 5, [0, 1, 2, 3, 4]],
  [0.62, 4, [0, 0.2, 0.4, 0.6, 0.8]],
  [1, 4, [0, 0.5, 1]],
  [0.3, 3, [0, 0.1, 0.2, 0.3]], // 0.1 * 3 misses 0.3, yet needs no fourth tick
  [0, 4, [0, 0.5, 1]],
];

for (const [most, count, ticks] of TICKS) {
  test(`an axis to ${most} in about ${count} steps ticks at ${ticks}`, () => {
    assert.deepEqual(ticksTo(most, count), ticks);
  });
}

test("the last tick is never below the largest value, nor a whole step above it", () => {
  for (let most = 0.013; most < 50; most *= 1.37) {
    const ticks = ticksTo(most);
    const end = ticks[ticks.length - 1];
    assert.ok(end >= most, `${most}: ${ticks}`);
    assert.ok(end - ticks[1] < most, `${most}: ${ticks}`);
  }
});

test("ticks are written with as many decimals as the finest needs", () => {
  assert.equal(tickDecimals([0, 0.25, 0.5]), 2);
  assert.equal(tickDecimals([0, 1, 2]), 0);
});
