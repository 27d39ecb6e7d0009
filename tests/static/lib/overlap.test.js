import assert from "node:assert/strict";
import { test } from "node:test";

import {
  apart,
  givenRight,
  INK,
  inkShared,
  merged,
  movedTo,
  orderByLabels,
  placed,
  roomOf,
} from "../../../static/js/lib/overlap.js";
import { blank, closeTo, grey, randomPixels, seededRandom } from "../fixtures.js";

const CANVAS = { channels: 1, rows: 4, columns: 4 };
const ONE = grey([128, 255, 0, 32]);
const close = closeTo(1e-12);

const laid = (pixels, right = 0, down = 0) => ({ pixels, label: null, right, down });
const bytes = ({ bytes: image }) => [...image];

test("an image stands in the middle of a canvas, moved by whole pixels", () => {
  const at = (right, down) => bytes(placed(ONE, CANVAS, { right, down }));
  assert.deepEqual(bytes(placed(ONE, CANVAS)), [
    ...[0, 0, 0, 0],
    ...[0, 128, 255, 0],
    ...[0, 0, 32, 0],
    ...[0, 0, 0, 0],
  ]);
  assert.deepEqual(at(1, -1).slice(0, 8), [0, 0, 128, 255, 0, 0, 0, 32]);
  assert.deepEqual(at(2, 0).slice(4, 8), [0, 0, 0, 128], "what leaves it is lost");
  assert.deepEqual(at(-2, 0).slice(4, 8), [255, 0, 0, 0], "nor does it come in again");
});

test("ink is added and clipped, and a digit that is missing adds none", () => {
  const both = [laid(ONE), laid(ONE, 1)];
  assert.deepEqual(bytes(merged(apart(both, CANVAS))).slice(4, 8), [0, 128, 255, 255]);
  assert.deepEqual(
    bytes(merged(apart([null, laid(ONE)], CANVAS))),
    bytes(placed(ONE, CANVAS)),
  );
});

test("a digit moves as far as its ink stays on the canvas, empty margins leave it", () => {
  const inMiddle = grey([0, 0, 0, 0, 255, 0, 0, 0, 0]);
  assert.deepEqual(roomOf(laid(inMiddle), CANVAS), { right: [-1, 2], down: [-1, 2] });
  const { right, down } = movedTo(laid(inMiddle), CANVAS, { right: 9, down: -9 });
  assert.deepEqual([right, down], [2, -1]);
  const alone = placed(inMiddle, CANVAS, { right, down });
  assert.equal(alone.bytes[3], 255);
  assert.deepEqual(roomOf(laid(grey([0, 0, 0, 0])), CANVAS), {
    right: [0, 0],
    down: [0, 0],
  });
});

test("shared ink counts pixels above the limit, of both and of each", () => {
  const limit = 255 * INK;
  const first = grey([limit, limit + 1, 255, 0]);
  const second = grey([255, 255, 0, 255]);
  assert.deepEqual(inkShared([first, second]), { one: 2, other: 3, both: 1 });
});

test("ink given right is that of one digit alone where its picture is brighter", () => {
  const alone = [
    [1, 0.5, 0, 0.9, 0.1],
    [0, 0, 0.8, 0.9, 0],
  ];
  const drawn = [
    [0.6, 0.1, 0.3, 0, 1],
    [0.2, 0.4, 0.3, 1, 0],
  ];
  // The first is won, the second lost, the third a draw; the others are shared, or no ink.
  close(givenRight(alone, drawn), (1 + 0.4) / (1 + 0.5 + 0.8));
  close(givenRight(alone, drawn.toReversed()), (0.5 + 0.4) / 2.3);
  assert.equal(givenRight([alone[0], alone[0]], drawn), null);
});

test("whatever is drawn, what one order gives right the other gives wrong", () => {
  const random = seededRandom(8);
  for (let round = 0; round < 20; round++) {
    const alone = [randomPixels(random), randomPixels(random)].map((pixels) =>
      Array.from(pixels.bytes, (byte) => byte / 255),
    );
    const drawn = alone.map((ink) => ink.map(() => random()));
    close(givenRight(alone, drawn) + givenRight(alone, drawn.toReversed()), 1);
    close(givenRight(alone, alone), 1);
  }
  assert.equal(givenRight([blank().bytes, blank().bytes], [[], []]), null);
});

test("labels tell which class is for which digit, in either order", () => {
  const order = (isTurned, isMatched) => ({ isTurned, isMatched });
  assert.deepEqual(orderByLabels([4, 7], [4, 7]), order(false, true));
  assert.deepEqual(orderByLabels([4, 7], [7, 4]), order(true, true));
  assert.deepEqual(orderByLabels([4, null], [7, 4]), order(true, false));
  assert.deepEqual(orderByLabels([4, 7], [4, 9]), order(false, false));
  for (const labels of [
    [1, 2],
    [null, null],
    [4, 4],
  ])
    assert.equal(orderByLabels(labels, [4, 7]), null);
});
