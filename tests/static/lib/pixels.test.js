import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fitTo,
  fromRows,
  inkOf,
  pack,
  samePixels,
  sideOf,
  toRows,
  unpack,
  withStrokes,
} from "../../../static/js/lib/pixels.js";
import { randomPixels, seededRandom } from "../fixtures.js";

const EMPTY = new Uint8Array(784);

for (const [what, pixels] of Object.entries({
  "an empty image": EMPTY,
  "a full image": new Uint8Array(784).fill(255),
  "ink in the first pixel only": EMPTY.with(0, 1),
  "ink in the last pixel only": EMPTY.with(783, 1),
  "runs of zeros of 254, 255 and 256": new Uint8Array(784)
    .fill(7)
    .fill(0, 0, 254)
    .fill(0, 255, 510)
    .fill(0, 511, 767),
})) {
  test(`${what} comes back from its packed text`, () => {
    assert.deepEqual(unpack(pack(pixels)), pixels);
  });
}

test("any image comes back from text that is safe in a link", () => {
  const random = seededRandom(2);
  for (let round = 0; round < 100; round++) {
    const pixels = randomPixels(random);
    const text = pack(pixels);
    assert.match(text, /^[\w-]+$/);
    assert.deepEqual(unpack(text), pixels);
  }
});

test("an empty image packs into four runs: 255 + 255 + 255 + 19", () => {
  assert.deepEqual(
    [...Buffer.from(pack(EMPTY), "base64url")],
    [0, 255, 0, 255, 0, 255, 0, 19],
  );
});

for (const [what, text] of Object.entries({
  nothing: "",
  "characters that base64 has not": "!?%",
  "a single character": "A",
  "too few pixels": pack(new Uint8Array(783).fill(9)),
  "too many pixels": pack(new Uint8Array(785).fill(9)),
  "too many empty pixels": pack(new Uint8Array(785)),
  "a run that is cut off": btoa("\0"),
})) {
  test(`${what} is no image`, () => {
    assert.equal(unpack(text), null);
  });
}

test("rows hold shares of ink, row by row", () => {
  const rows = toRows(EMPTY.with(28 * 2 + 5, 255).with(783, 51));
  assert.equal(rows.length, 28);
  assert.ok(rows.every((row) => row.length === 28));
  assert.equal(rows[2][5], 1);
  assert.equal(rows[27][27], 0.2);
  assert.equal(rows.flat().filter((value) => value !== 0).length, 2);
});

test("every byte survives the way to the server and back", () => {
  const pixels = Uint8Array.from({ length: 784 }, (_, i) => i % 256);
  assert.deepEqual(fromRows(toRows(pixels)), pixels);
});

test("images are the same when every pixel is", () => {
  assert.ok(samePixels(EMPTY, EMPTY));
  assert.ok(samePixels(EMPTY, new Uint8Array(784)));
  assert.ok(!samePixels(EMPTY, EMPTY.with(783, 1)));
  assert.ok(!samePixels(EMPTY, new Uint8Array(783)));
});

test("an image of another size comes back when that size is asked for", () => {
  const random = seededRandom(3);
  const pixels = Uint8Array.from({ length: 32 * 32 }, () => Math.floor(random() * 256));
  assert.deepEqual(unpack(pack(pixels), 32), pixels);
  assert.equal(unpack(pack(pixels)), null);
  assert.equal(sideOf(pixels), 32);
  assert.ok(toRows(pixels).every((row) => row.length === 32));
  assert.deepEqual(fromRows(toRows(pixels)), pixels);
});

test("an image that fits is left alone", () => {
  assert.equal(fitTo(EMPTY, 28), EMPTY);
});

test("a fitted pixel is the mean of the area that it covers", () => {
  // Three pixels to two: each covers one and a half of them, both ways.
  const found = fitTo(Uint8Array.of(90, 0, 0, 0, 0, 180, 0, 0, 0), 2);
  assert.deepEqual([...found], [90 / 2.25, (0.5 * 180) / 2.25, 0, (0.5 * 180) / 2.25]);
});

test("an image made larger repeats its pixels", () => {
  const found = fitTo(Uint8Array.of(1, 2, 3, 4), 4);
  assert.deepEqual([...found], [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
});

test("a fitted image has as much ink a pixel as before", () => {
  const pixels = randomPixels(seededRandom(5));
  const mean = (bytes) => bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length;
  for (const side of [7, 16, 32])
    assert.ok(Math.abs(mean(fitTo(pixels, side)) - mean(pixels)) < 0.5);
});

test("ink is the byte's share of 255", () => {
  assert.deepEqual([...inkOf(Uint8Array.of(0, 51, 255))], [0, 0.2, 1]);
});

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
