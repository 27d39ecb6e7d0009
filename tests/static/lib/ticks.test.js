import assert from "node:assert/strict";
import { test } from "node:test";

import { tickDecimals, ticksTo } from "../../../static/js/lib/ticks.js";

const CASES = [
  [3.97, 5, [0, 1, 2, 3, 4]],
  [0.62, 4, [0, 0.2, 0.4, 0.6, 0.8]],
  [0.199, 2, [0, 0.1, 0.2]],
  [1, 4, [0, 0.5, 1]],
  [0.3, 3, [0, 0.1, 0.2, 0.3]], // 0.1 * 3 misses 0.3, yet needs no fourth tick
  [0, 4, [0, 0.5, 1]],
];

for (const [most, count, ticks] of CASES) {
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
