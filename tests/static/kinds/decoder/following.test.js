import assert from "node:assert/strict";
import { test } from "node:test";

import {
  followsInFull,
  followsInShort,
  followsOf,
} from "../../../../static/js/kinds/decoder/following.js";
import { says } from "../../fixtures.js";

const numbers = (values) =>
  Array.from({ length: 16 }, (_, entry) => values[entry] ?? 0.1);

/** Class 1: entries by their place, 0.1 where nothing is said. */
const followingOf = ({ x = {}, y = {}, turn = {} }) => {
  const move = (values) => ({
    correlation: numbers(values),
    slope: numbers(values).map((r) => r / 100),
  });
  return {
    amounts: { x: [-3, 0, 3], y: [-3, 0, 3], turn: [-30, 0, 30] },
    classes: [null, { images: 29, x: move(x), y: move(y), turn: move(turn) }],
  };
};
const FOLLOWING = followingOf({
  x: { 13: 0.99, 7: 0.9, 6: -0.95 },
  y: { 3: -0.9, 13: 0.85 },
  turn: { 2: -0.7 },
});
const model = { card: { following: FOLLOWING } };

test("a number is named after what it correlates with the most, however closely", () => {
  assert.equal(
    followsInShort(followsOf(model, 1, 13)),
    "shift right, r\u00a0=\u00a00.99",
  );
  assert.equal(
    followsInShort(followsOf(model, 1, 3)),
    "shift down, r\u00a0=\u00a0\u22120.90",
  );
  assert.equal(
    followsInShort(followsOf(model, 1, 2)),
    "turn clockwise, r\u00a0=\u00a0\u22120.70",
  );
});

test("all that was measured of a number is told, slopes for ten degrees", () => {
  says(
    followsInFull(followsOf(model, 1, 2)),
    "right: r = 0.10, +0.001 per…clockwise: r = −0.70, −0.070 per 10°",
  );
});
