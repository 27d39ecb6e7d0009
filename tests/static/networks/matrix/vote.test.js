import assert from "node:assert/strict";
import { test } from "node:test";

import {
  meantAbove,
  multiplied,
  voteOf,
} from "../../../../static/js/networks/matrix/layer/vote.js";
import { seededRandom, tensor } from "../../fixtures.js";
import { SIZES } from "./made.js";

const random = seededRandom(5);
const matrix = () =>
  Float32Array.from({ length: 16 }, () => Math.round(8 * random()) - 4);

test("a product of matrices is rows times columns", () => {
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const a = matrix();
  assert.deepEqual([...multiplied(a, identity)], [...a]);
  const twice = [2, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 3];
  const b = multiplied(a, twice);
  // Column 1 doubled, 2 and 3 exchanged, 4 tripled.
  assert.deepEqual([...b.slice(0, 4)], [2 * a[0], a[2], a[1], 3 * a[3]]);
});

test("W is that of the child's place in the window and the type above", () => {
  const data = Array.from({ length: 8 * 3 * 3 * 8 * 16 }, (_, i) => Math.floor(i / 16));
  const learned = { transforms: tensor([8, 3, 3, 8, 4, 4], data) };
  const from = { type: 2, row: 5, column: 4 };
  const to = { type: 6, row: 2, column: 1 };
  const { transform, added } = voteOf({
    sizes: SIZES,
    above: "caps1",
    learned,
    pose: matrix(),
    from,
    to,
  });
  // Slot row 5 - 2·2 = 1, column 4 - 2·1 = 2.
  assert.equal(transform[0], ((2 * 3 + 1) * 3 + 2) * 8 + 6);
  assert.ok(added.every((each) => each === 0));
});

test("votes for classes share W and get coordinates added", () => {
  const data = Array.from({ length: 8 * 10 * 16 }, (_, i) => Math.floor(i / 16));
  const learned = { transforms: tensor([8, 1, 1, 10, 4, 4], data) };
  const from = { type: 3, row: 0, column: 2 };
  const pose = new Float32Array(16);
  const to = { type: 7, row: 0, column: 0 };
  const { transform, vote } = voteOf({
    sizes: SIZES,
    above: "classes",
    learned,
    pose,
    from,
    to,
  });
  assert.equal(transform[5], 3 * 10 + 7);
  const wanted = Array(16).fill(0);
  wanted[3] = 0.5 / 3;
  wanted[7] = 2.5 / 3;
  assert.deepEqual([...vote], wanted);
});

test("where the chosen one does not see a capsule, the first that does is meant", () => {
  const from = { type: 0, row: 0, column: 0 };
  const chosen = { type: 4, row: 2, column: 2 };
  assert.deepEqual(meantAbove(SIZES, "caps1", from, chosen), {
    type: 4,
    row: 0,
    column: 0,
  });
  const near = { type: 4, row: 0, column: 0 };
  assert.equal(meantAbove(SIZES, "caps1", from, near), near);
});
