import assert from "node:assert/strict";
import { test } from "node:test";

import {
  editRange,
  shareOf,
  sweepPoses,
  sweepSteps,
  widened,
} from "../../../../../static/js/networks/capsnet/reconstruction/range.js";

test("a slider spans what the test set uses, seen from the network's own value", () => {
  // 0.1..0.4 with the value at 0.25: 0.15 to either side.
  assert.deepEqual(editRange([0.1, 0.4], 0.25, 0), { low: -0.15, high: 0.15 });
});

test("a value outside what the test set uses is an end of its slider", () => {
  assert.deepEqual(editRange([0.1, 0.4], 0.5, 0), { low: -0.4, high: 0 });
  assert.deepEqual(editRange([0.1, 0.4], -0.1, 0), { low: 0, high: 0.5 });
});

test("an edit outside is within its slider too", () => {
  assert.deepEqual(editRange([0.1, 0.4], 0.25, 0.9), { low: -0.15, high: 0.9 });
  assert.deepEqual(editRange([0.1, 0.4], 0.25, -0.9), { low: -0.9, high: 0.15 });
});

test("ends fall on whole steps, never inside of what is used", () => {
  assert.deepEqual(editRange([-0.2004, 0.2004], 0, 0), { low: -0.201, high: 0.201 });
});

for (const [what, used] of /** @type {const} */ ([
  ["no range", undefined],
  ["an empty one", [0, 0]],
])) {
  test(`a card with ${what} gives a slider of 0.3 to either side`, () => {
    assert.deepEqual(editRange(used, 0.7, 0), { low: -0.3, high: 0.3 });
  });
}

test("a range widens only for what lies outside", () => {
  const range = { low: -0.1, high: 0.2 };
  assert.deepEqual(widened(range, 0.15), range);
  assert.deepEqual(widened(range, 0.5), { low: -0.1, high: 0.5 });
});

test("the ends of a slider are the shares 0 and 1", () => {
  const range = { low: -1, high: 3 };
  assert.deepEqual(
    [-1, 0, 1, 3].map((difference) => shareOf(range, difference)),
    [0, 0.25, 0.5, 1],
  );
});

test("a sweep goes from end to end in equal steps", () => {
  assert.deepEqual(sweepSteps({ low: -0.2, high: 0.2 }, 5), [-0.2, -0.1, 0, 0.1, 0.2]);
});

test("each pose of a sweep moves one number from its own place, edits stay", () => {
  const original = [1, 2];
  const edited = [1.5, 2]; // the first is edited by 0.5
  const steps = [
    [-1, 1],
    [-2, 0],
  ];
  assert.deepEqual(sweepPoses(original, edited, steps), [
    [0, 2],
    [2, 2],
    [1.5, 0],
    [1.5, 2],
  ]);
});
