import assert from "node:assert/strict";
import { test } from "node:test";
import { capsules } from "../../../../static/js/kinds/capsules/index.js";
import {
  meantAbove,
  positionsAbove,
} from "../../../../static/js/kinds/capsules/places.js";
import { multiplied, voteOf } from "../../../../static/js/kinds/capsules/vote.js";
import { seededRandom, tensor } from "../../fixtures.js";

const CAPS1 = {
  title: "Caps1",
  grid: [8, 5, 5],
  window: { size: 3, step: 2 },
  isClasses: false,
};
const CLASSES = { title: "Classes", grid: [10, 1, 1], window: null, isClasses: true };

test("windows of three with a stride of two share their edges", () => {
  const positions = (row, column) => positionsAbove(CAPS1, { row, column });
  assert.deepEqual(positions(0, 0), [{ row: 0, column: 0 }]);
  assert.deepEqual(positions(2, 1), [
    { row: 0, column: 0 },
    { row: 1, column: 0 },
  ]);
  assert.equal(positions(2, 2).length, 4);
  assert.deepEqual(positionsAbove(CLASSES, { row: 2, column: 0 }), [
    { row: 0, column: 0 },
  ]);
});

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
  const transforms = tensor([8, 3, 3, 8, 4, 4], data);
  const from = { type: 2, row: 5, column: 4 };
  const to = { type: 6, row: 2, column: 1 };
  const { transform, added } = voteOf({
    above: CAPS1,
    grid: [8, 11, 11],
    transforms,
    pose: matrix(),
    from,
    to,
  });
  // Slot row 5 - 2·2 = 1, column 4 - 2·1 = 2.
  assert.equal(transform[0], ((2 * 3 + 1) * 3 + 2) * 8 + 6);
  assert.ok(added.every((value) => value === 0));
});

test("votes for classes share W and get coordinates added", () => {
  const data = Array.from({ length: 8 * 10 * 16 }, (_, i) => Math.floor(i / 16));
  const transforms = tensor([8, 1, 1, 10, 4, 4], data);
  const from = { type: 3, row: 0, column: 2 };
  const pose = new Float32Array(16);
  const to = { type: 7, row: 0, column: 0 };
  const { transform, vote } = voteOf({
    above: CLASSES,
    grid: [8, 3, 3],
    transforms,
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
  assert.deepEqual(meantAbove(CAPS1, from, chosen), { type: 4, row: 0, column: 0 });
  const near = { type: 4, row: 0, column: 0 };
  assert.equal(meantAbove(CAPS1, from, near), near);
});

test("a capsule must be longer than said, and chosen", () => {
  const trace = { tensors: { activation: tensor([2, 1, 1], [0.2, 0.8]) } };
  const isDone = (capsule, followsStrongest) =>
    capsules.tasks["long-capsule"]({ trace, capsule, followsStrongest }, { than: 0.5 });
  assert.equal(isDone(1, false), true);
  assert.equal(isDone(0, false), false);
  assert.equal(isDone(1, true), false);
});

test("of matrices the most active is chosen until another is", () => {
  const trace = {
    tensors: { activation: tensor([2, 2, 3], [...Array(11).fill(0), 1]) },
  };
  assert.deepEqual(capsules.strongest.of({ trace }), { capsule: 11 });
});
