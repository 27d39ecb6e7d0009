import assert from "node:assert/strict";
import { test } from "node:test";

import {
  emptyRibbons,
  layOutRibbons,
  nodeAt,
  ribbonAt,
  riseAt,
  spread,
} from "../../../static/js/geometry/ribbons.js";
import { closeTo, seededRandom } from "../fixtures.js";

const PLACE = { left: 10, right: 110, top: 0, height: 400, gap: 4 };

const RANDOM = seededRandom(6);
const FLOW = Float32Array.from({ length: 320 }, () => RANDOM() ** 2);
const TOTAL = FLOW.reduce((sum, amount) => sum + amount, 0);

function laidOut(
  amounts,
  place = {},
  { sources, targets } = { sources: 32, targets: 10 },
) {
  const ribbons = emptyRibbons(sources, targets);
  const full = amounts.reduce((sum, amount) => sum + Math.abs(amount), 0);
  layOutRibbons(ribbons, amounts, { ...PLACE, full, ...place });
  return ribbons;
}

const assertClose = closeTo(1e-6);

test("two sources and two targets by hand", () => {
  // All is 8; 100 high less a gap of 20 leaves 80, so 10 for each 1.
  const place = { left: 0, right: 50, top: 7, height: 100, gap: 20 };
  const ribbons = laidOut([1, 2, 0, 5], place, { sources: 2, targets: 2 });
  assert.deepEqual([ribbons.left, ribbons.right], [0, 50]);
  assert.deepEqual([...ribbons.sourceY], [7, 57]);
  assert.deepEqual([...ribbons.sourceHeight], [30, 50]);
  assert.deepEqual([...ribbons.targetY], [7, 37]);
  assert.deepEqual([...ribbons.targetHeight], [10, 70]);
  assert.deepEqual([...ribbons.width], [10, 20, 0, 50]);
  assert.deepEqual([...ribbons.from], [7, 17, 57, 57]);
  assert.deepEqual([...ribbons.to], [7, 37, 17, 57]);
});

test("what is lost is as wide as what is gained", () => {
  const { width } = laidOut([-3, 1], {}, { sources: 1, targets: 2 });
  assertClose(width[0], 3 * width[1]);
});

test("where there is room for more, widths leave it", () => {
  const [all, half] = [laidOut(FLOW), laidOut(FLOW, { full: 2 * TOTAL })];
  FLOW.forEach((_, i) => {
    assertClose(half.width[i], all.width[i] / 2);
  });
});

test("ribbons fill each node from top to bottom, side by side", () => {
  const ribbons = laidOut(FLOW, { top: 5 });
  for (let i = 0; i < 32; i++) {
    let y = ribbons.sourceY[i];
    for (let k = i * 10; k < (i + 1) * 10; k++) {
      assertClose(ribbons.from[k], y);
      y += ribbons.width[k];
    }
    assertClose(y, ribbons.sourceY[i] + ribbons.sourceHeight[i]);
  }
  for (let j = 0; j < 10; j++) {
    let y = ribbons.targetY[j];
    for (let k = j; k < 320; k += 10) {
      assertClose(ribbons.to[k], y);
      y += ribbons.width[k];
    }
    assertClose(y, ribbons.targetY[j] + ribbons.targetHeight[j]);
  }
});

test("nodes fill the height in order, at least the gap apart", () => {
  const { sourceY, sourceHeight, targetY, targetHeight } = laidOut(FLOW, { top: 9 });
  for (const [tops, heights] of [
    [sourceY, sourceHeight],
    [targetY, targetHeight],
  ]) {
    assert.equal(tops[0], 9);
    assertClose(tops.at(-1) + heights.at(-1), 409);
    for (let i = 1; i < tops.length; i++) {
      const gap = tops[i] - (tops[i - 1] + heights[i - 1]);
      assert.ok(gap >= PLACE.gap - 1e-9, `gap ${gap}`);
    }
  }
});

test("the same ribbons laid out again keep nothing of before", () => {
  const again = laidOut(FLOW.map((amount) => 3 - amount));
  layOutRibbons(again, FLOW, { ...PLACE, full: TOTAL });
  assert.deepEqual(again, laidOut(FLOW));
});

test("no flow is no width anywhere", () => {
  const { width, sourceHeight, targetHeight } = laidOut(new Float32Array(320));
  for (const values of [width, sourceHeight, targetHeight])
    assert.ok(values.every((value) => value === 0));
});

test("where gaps need more than the height, nothing is left for ribbons", () => {
  const { sourceHeight, sourceY } = laidOut(FLOW, { height: 100 });
  assert.ok(sourceHeight.every((height) => height === 0));
  assertClose(sourceY.at(-1), 100);
});

test("a ribbon rises as the Bézier curve that is drawn", () => {
  for (let i = 0; i <= 20; i++) {
    const t = i / 20;
    const x = 3 * t * (1 - t) ** 2 * 0.5 + 3 * t ** 2 * (1 - t) * 0.5 + t ** 3;
    const y = 3 * t ** 2 * (1 - t) + t ** 3;
    assertClose(riseAt(x), y, 1e-5);
  }
});

const ANY = { rank: () => 0, slack: 0 };

test("what lies under a point is found along the curve", () => {
  // Source 1 to target 0 falls from (0, 50..100) to (50, 10..60).
  const place = { left: 0, right: 50, height: 100, gap: 0 };
  const ribbons = laidOut([1, 0, 5, 4], place, { sources: 2, targets: 2 });
  assert.equal(ribbonAt(ribbons, 0, 5, ANY), 0);
  assert.equal(ribbonAt(ribbons, 0, 11, ANY), 2);
  assert.equal(ribbonAt(ribbons, 0, 61, ANY), 3);
  assert.equal(ribbonAt(ribbons, 25, 80, ANY), 3);
  assert.equal(ribbonAt(ribbons, -1, 50, ANY), -1);
  assert.equal(ribbonAt(ribbons, 51, 50, ANY), -1);
});

test("of several under a point the one ranked highest is meant", () => {
  // Two of the same width cross in the middle.
  const place = { left: 0, right: 50, height: 100, gap: 20 };
  const ribbons = laidOut([0, 1, 1, 0], place, { sources: 2, targets: 2 });
  for (const wanted of [1, 2]) {
    const rank = (k) => Number(k === wanted);
    assert.equal(ribbonAt(ribbons, 25, 50, { rank, slack: 0 }), wanted);
  }
});

test("a hair is found from beside it, a ribbon without width never", () => {
  const place = { left: 0, right: 50, height: 100, gap: 0, full: 1000 };
  const ribbons = laidOut([1, 0], place, { sources: 1, targets: 2 });
  const y = ribbons.from[0];
  assert.equal(ribbonAt(ribbons, 0, y + 1.5, ANY), -1);
  assert.equal(ribbonAt(ribbons, 0, y + 1.5, { ...ANY, slack: 2 }), 0);
});

test("the node beside a point is the nearest", () => {
  const [tops, heights] = [Float64Array.of(0, 50, 90), Float64Array.of(20, 10, 10)];
  assert.deepEqual(
    [-5, 10, 34, 36, 70, 76, 500].map((y) => nodeAt(tops, heights, y)),
    [0, 0, 0, 1, 1, 2, 2],
  );
});

test("labels move as little as keeps them apart, in order and within the ends", () => {
  assert.deepEqual(spread([10, 30, 50], 10, 0, 60), [10, 30, 50]);
  assert.deepEqual(spread([10, 12, 13, 50], 10, 0, 60), [10, 20, 30, 50]);
  assert.deepEqual(spread([10, 57, 59], 10, 0, 60), [10, 50, 60]);
  assert.deepEqual(spread([5, 5, 5], 10, 0, 10), [0, 5, 10]);
  assert.deepEqual(spread([7], 10, 0, 10), [7]);
});
