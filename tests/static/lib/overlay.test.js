import assert from "node:assert/strict";
import { test } from "node:test";

import { withStrokes } from "../../../static/js/lib/overlay.js";

/** A square of bytes from rows of digits, each a hundred or so of ink. */
const square = (...rows) =>
  Uint8Array.from(rows.flatMap((row) => [...row].map((digit) => 100 * Number(digit))));

test("no strokes leave the image as it is", () => {
  const image = square("0000", "0120", "0010", "0000");
  assert.deepEqual(withStrokes(image, new Uint8Array(16)), image);
});

test("each pixel takes the darker of both", () => {
  const image = square("0000", "0220", "0220", "0000");
  const strokes = square("0000", "0100", "0000", "0000");
  assert.deepEqual(withStrokes(image, strokes), image);
});

test("the centre of mass stays where the image had it, by whole pixels", () => {
  // The mass of 1 at column 1 gets 2 more at column 3: the centre moves from 1 to 2⅓.
  const image = square("00000", "01000", "00000", "00000", "00000");
  const strokes = square("00000", "00020", "00000", "00000", "00000");
  const expected = square("00000", "10200", "00000", "00000", "00000");
  assert.deepEqual(withStrokes(image, strokes), expected);
});

test("no ink leaves the frame", () => {
  const image = square("10000", "00000", "00000", "00000", "00000");
  const strokes = square("00000", "00000", "00000", "00000", "00002");
  const expected = square("10000", "00000", "00000", "00000", "00002");
  assert.deepEqual(withStrokes(image, strokes), expected);
});

test("strokes on an image without ink stay where they were drawn", () => {
  const strokes = square("00", "01");
  assert.deepEqual(withStrokes(new Uint8Array(4), strokes), strokes);
});
