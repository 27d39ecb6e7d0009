import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf, movesOf, rewonOf } from "../../../static/js/lib/change.js";
import { roundToFloat16 } from "../../../static/js/lib/encoding.js";
import { seededRandom } from "../fixtures.js";

const LIMITS = [0.01, 0.1];
const values = (...data) => ({ data: Float32Array.from(data) });

test("values by hand", () => {
  const found = changeOf(
    values(1, 2, 0, 0, 4, 0),
    values(1, 1.9, 0, 0.5, 0, 0),
    LIMITS,
  );
  assert.equal(found.active, 4);
  assert.deepEqual(found.stay, [1, 2]); // 1.9 of 2 is 5 % less
  assert.ok(Math.abs(found.share - (0 + 0.1 + 0.5 + 4) / 7) < 1e-7);
});

test("winners count only where there is one both times", () => {
  const before = { pooled: [1, 1, 0, 2], winners: [0, 1, 0, 3] };
  const after = { pooled: [1, 2, 1, 0], winners: [0, 2, 3, 0] };
  assert.deepEqual(rewonOf(before, after), { contested: 2, rewon: 1 });
});

test("what is below the smallest step of half precision has not changed", () => {
  const found = changeOf({ data: [0, 0] }, { data: [2 ** -24, 2 ** -14] }, [2 ** -10]);
  assert.deepEqual([found.active, found.stay], [2, [1]]);
});

test("nothing before is no share; the ends of 1 % and 10 %", () => {
  assert.ok(Number.isNaN(changeOf(values(0, 0), values(0, 0)).share));
  const found = changeOf(
    values(100, 100, 100, 100),
    values(99, 98.9, 90, 89.9),
    LIMITS,
  );
  assert.deepEqual(found.stay, [1, 3]);
});

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
