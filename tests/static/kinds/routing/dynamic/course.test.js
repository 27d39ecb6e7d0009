import assert from "node:assert/strict";
import { test } from "node:test";
import {
  couplingSpread,
  QUANTILES,
} from "../../../../../static/js/kinds/routing/dynamic/course.js";
import { tensor } from "../../../fixtures.js";

test("the spread tells what half, nine in ten, 99 in 100 and all do not exceed", () => {
  assert.deepEqual(QUANTILES, [0.5, 0.9, 0.99, 1]);
  const values = Array.from({ length: 100 }, (_, i) => [
    ((i * 37) % 100) / 128, // 0..99 in some order; 37 and 100 have no common factor
    1 - ((i * 37) % 100) / 128,
  ]).flat();
  const spread = couplingSpread(tensor([1, 100, 1, 1, 2], values), 0);
  assert.deepEqual(spread, [[49 / 128], [89 / 128], [98 / 128], [99 / 128]]);
});

test("a share of the capsules that is no whole number of them is rounded up", () => {
  const spread = couplingSpread(tensor([1, 3, 1, 1, 1], [0.25, 0.75, 0.5]), 0);
  assert.deepEqual(spread, [[0.5], [0.75], [0.75], [0.75]]);
});
