import assert from "node:assert/strict";
import { test } from "node:test";
import { sweepPoses } from "../../../../static/js/kinds/decoder/sweep.js";

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
