import assert from "node:assert/strict";
import { test } from "node:test";

import { crosses } from "../../../static/js/geometry/crosses.js";

test("a cell is crossed out by two strokes inside it", () => {
  assert.equal(crosses([0], 6), "M0.25 0.25l0.5 0.5M0.75 0.25l-0.5 0.5");
  assert.equal(crosses([13], 6), "M1.25 2.25l0.5 0.5M1.75 2.25l-0.5 0.5");
});

test("no cell, no stroke; two cells, four strokes", () => {
  assert.equal(crosses([], 6), "");
  assert.equal(crosses([3, 4], 6).match(/M/g).length, 4);
});
