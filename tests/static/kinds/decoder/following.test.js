import assert from "node:assert/strict";
import { test } from "node:test";

import {
  followingWords,
  followsInFull,
  followsInShort,
  followsOf,
} from "../../../../static/js/kinds/decoder/following.js";
import { says } from "../../fixtures.js";

const numbers = (values) =>
  Array.from({ length: 16 }, (_, entry) => values[entry] ?? 0.1);

/** Class 1: entries by their place, 0.1 where nothing is said. */
const made = ({ x = {}, y = {}, turn = {} }) => {
  const move = (values) => ({
    correlation: numbers(values),
    slope: numbers(values).map((r) => r / 100),
  });
  return {
    amounts: { x: [-3, 0, 3], y: [-3, 0, 3], turn: [-30, 0, 30] },
    classes: [null, { images: 29, x: move(x), y: move(y), turn: move(turn) }],
  };
};
const FOLLOWING = made({
  x: { 13: 0.99, 7: 0.9, 6: -0.95 },
  y: { 3: -0.9, 13: 0.85 },
  turn: { 2: -0.7 },
});
const model = { card: { following: FOLLOWING } };

test("a number follows what it correlates with the most, if that is close", () => {
  assert.equal(followsInShort(followsOf(model, 1, 13)), "shift right, r = 0.99");
  assert.equal(followsInShort(followsOf(model, 1, 3)), "shift down, r = \u22120.90");
  assert.equal(followsInShort(followsOf(model, 1, 2)), "follows none closely");
});

test("nothing is said of what was not measured", () => {
  assert.equal(followsOf(model, 0, 13), null);
  assert.equal(followsOf({ card: {} }, 1, 13), null);
  assert.match(followingWords(FOLLOWING, 0, "7"), /not measured for 7/);
});

test("all that was measured of a number is told, slopes for ten degrees", () => {
  says(
    followsInFull(followsOf(model, 1, 2)),
    "right: r = 0.10, +0.001 per…clockwise: r = −0.70, −0.070 per 10°",
  );
});

test("a class's words follow from its numbers", () => {
  assert.equal(
    followingWords(FOLLOWING, 1, "4"),
    "Measured by moving 29 test images of 4: shifts of up to 3 pixels and turns of up to 30° either way. A shift to the right is followed most closely by the number in row 4, column 2 (r = 0.99), a shift down by that in row 1, column 4 (r = \u22120.90), a clockwise turn by that in row 1, column 3 (r = \u22120.70). Coordinate addition adds the row to row 1, column 4, which follows a shift down with r = \u22120.90 (the closest of all); and the column to row 2, column 4, which follows a shift to the right with r = 0.90 (2 others are closer). One of the 16 numbers follows more than one of the moves with |r| of 0.8 or more. r says how steadily a number follows, not how far.",
  );
});

test("the words count how many numbers stand for no single move", () => {
  const alone = made({ x: { 7: 0.9, 6: 0.95 } });
  const words = followingWords(alone, 1, "4");
  assert.match(words, /\(one other is closer\)/);
  assert.match(words, /No number follows more than one of the moves/);
  const shared = made({ x: { 1: 0.9, 2: 0.8 }, turn: { 1: 0.9, 2: -0.8 } });
  says(followingWords(shared, 1, "4"), "2 of the 16 numbers…not stand for one alone");
});
