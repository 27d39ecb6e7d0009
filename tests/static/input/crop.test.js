import assert from "node:assert/strict";
import { test } from "node:test";
import { LEAST, move, span, WHOLE, withEdge } from "../../../static/js/input/crop.js";
import { seededRandom } from "../fixtures.js";

const BOX = [0.2, 0.3, 0.6, 0.8];

for (const [across, down, expected] of [
  [0.1, 0.1, [0.3, 0.4, 0.7, 0.9]],
  [-0.1, -0.2, [0.1, 0.1, 0.5, 0.6]],
  [1, 1, [0.6, 0.5, 1, 1]], // as far as the picture goes, and no smaller
  [-1, -1, [0, 0, 0.4, 0.5]],
]) {
  test(`moved by ${across}, ${down} a box keeps its size and stays in the picture`, () => {
    assert.deepEqual(move(BOX, across, down), expected);
  });
}

for (const [edge, to, expected] of [
  [0, 0.1, [0.1, 0.3, 0.6, 0.8]],
  [1, 0.5, [0.2, 0.5, 0.6, 0.8]],
  [2, 0.9, [0.2, 0.3, 0.9, 0.8]],
  [3, 2, [0.2, 0.3, 0.6, 1]],
  [0, -1, [0, 0.3, 0.6, 0.8]],
  [0, 0.9, [0.55, 0.3, 0.6, 0.8]], // not past the edge opposite
  [3, 0, [0.2, 0.3, 0.6, 0.35]],
]) {
  test(`edge ${edge} put to ${to}`, () => {
    assert.deepEqual(withEdge(BOX, edge, to), expected);
  });
}

test("edges stay within their range, whatever is dragged where", () => {
  const random = seededRandom(1);
  let box = WHOLE;
  for (let turn = 0; turn < 500; turn++) {
    const edge = Math.floor(4 * random());
    box = withEdge(box, edge, 3 * random() - 1);
    box = move(box, random() - 0.5, random() - 0.5);
    const [left, top, right, bottom] = box;
    assert.ok(left >= 0 && top >= 0 && right <= 1 && bottom <= 1);
    assert.ok(right - left > LEAST - 0.0011 && bottom - top > LEAST - 0.0011);
  }
});

test("a box spans two corners, in whatever order, inside the picture", () => {
  const [from, to] = [
    { x: 0.7, y: 0.25 },
    { x: 0.1, y: 1.5 },
  ];
  assert.deepEqual(span(from, to), [0.1, 0.25, 0.7, 1]);
  assert.deepEqual(span(to, from), [0.1, 0.25, 0.7, 1]);
});
