import assert from "node:assert/strict";
import { test } from "node:test";

import { differenceOf, meanSquare } from "../../../static/js/lib/difference.js";

test("too much ink is positive, too little is negative", () => {
  assert.deepEqual([...differenceOf([1, 0.25, 0], [0.5, 0.25, 1])], [0.5, 0, -1]);
});

test("the mean square weighs every pixel alike", () => {
  assert.equal(meanSquare([1, -1, 0, 2]), 1.5);
});
