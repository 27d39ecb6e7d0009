import assert from "node:assert/strict";
import { test } from "node:test";
import { movesOf } from "../../../static/js/lib/change.js";
import { roundToFloat16, seededRandom } from "../fixtures.js";

test("moves are counted, and surely where half precision can tell", () => {
  const before = [0.25, 0.25, 0.25, 0.5];
  assert.deepEqual(movesOf(before, [0.26, 0.2, 0.2505, 0.5], 0.001), {
    raised: { count: 1, isSure: true },
    lowered: { count: 1, isSure: true },
  });
  // 0.25 + 0.001 lies between two halves.
  const { raised, lowered } = movesOf(before, [0.26, 0.25 + 2 ** -10, 0.2, 0.5], 0.001);
  assert.deepEqual(raised, { count: 1, isSure: false });
  assert.deepEqual(lowered, { count: 1, isSure: true });
});

test("a sure count is that of the numbers before they were rounded", () => {
  const random = seededRandom(8);
  let sure = 0;
  let wrong = 0;
  for (let run = 0; run < 400; run++) {
    const before = Array.from({ length: 20 }, () => random());
    const now = before.map((value) => value + 0.003 * (random() - 0.5));
    const exact = now.filter((value, i) => value - before[i] >= 0.001).length;
    const [was, is] = [before, now].map((values) => values.map(roundToFloat16));
    const { raised } = movesOf(was, is, 0.001);
    if (raised.isSure) {
      sure++;
      assert.equal(raised.count, exact);
    } else if (raised.count !== exact) wrong++;
  }
  assert.ok(sure > 0 && wrong > 0);
});
