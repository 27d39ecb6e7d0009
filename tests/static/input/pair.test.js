import assert from "node:assert/strict";
import { test } from "node:test";

import { digitAt, randomPair, withDigit } from "../../../static/js/input/pair.js";
import { apart } from "../../../static/js/lib/overlap.js";
import { grey, seededRandom } from "../fixtures.js";

const CANVAS = { channels: 1, rows: 36, columns: 36 };
const inked = (from, to) =>
  grey(Array.from({ length: 784 }, (_, i) => (i >= from && i < to ? 255 : 0)));
const laid = (pixels, label, right = 0, down = 0) => ({ pixels, label, right, down });
const FOUR = laid(inked(280, 300), 4);
const SEVEN = laid(inked(290, 330), 7);

test("a hand takes the digit with ink under it, else the chosen one", () => {
  const alone = apart([FOUR, SEVEN], CANVAS);
  // Row 10 of a digit is row 14 of the canvas.
  assert.equal(digitAt(alone, { row: 14, column: 5 }, 1), 0, "the first one alone");
  assert.equal(digitAt(alone, { row: 15, column: 20 }, 0), 1, "the second one alone");
  assert.equal(digitAt(alone, { row: 14, column: 20 }, 1), 1, "both");
  assert.equal(digitAt(alone, { row: 14, column: 20 }, 0), 0, "both");
  assert.equal(digitAt(alone, { row: 0, column: 0 }, 1), 1, "neither");
});

test("changing one digit leaves the other", () => {
  assert.deepEqual(withDigit([FOUR, SEVEN], 0, null), [null, SEVEN]);
  assert.deepEqual(withDigit([FOUR, SEVEN], 1, FOUR), [FOUR, FOUR]);
});

test("two examples have different labels, and stand as in training", () => {
  const samples = [0, 1, 1, 2].map((label) => ({ label, pixels: inked(0, label) }));
  const random = seededRandom(3);
  const moves = new Set();
  for (let round = 0; round < 300; round++) {
    const [first, second] = randomPair(samples, random);
    assert.notEqual(first.label, second.label);
    for (const { right, down } of [first, second]) {
      moves.add(right);
      assert.ok(Math.max(Math.abs(right), Math.abs(down)) <= 4);
    }
  }
  assert.equal(moves.size, 9);
});
