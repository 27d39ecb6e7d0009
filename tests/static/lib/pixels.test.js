import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fitTo,
  fromRows,
  greyOf,
  inkOf,
  pack,
  pieceOf,
  pixelsOf,
  planesOf,
  samePixels,
  sizeWords,
  toRows,
  unpack,
  withStrokes,
} from "../../../static/js/lib/pixels.js";
import { blank, grey, seededRandom } from "../fixtures.js";

const EMPTY = blank();
const COLOURED = { channels: 3, rows: 20, columns: 24 };

/** An image of any bytes. */
const noise = (shape, random) =>
  pixelsOf(
    shape,
    pixelsOf(shape).bytes.map(() => Math.floor(random() * 256)),
  );

for (const [what, pixels] of Object.entries({
  "an empty image": EMPTY,
  "a full image": grey(EMPTY.bytes.map(() => 255)),
  "ink in the first pixel only": grey(EMPTY.bytes.with(0, 1)),
  "ink in the last pixel only": grey(EMPTY.bytes.with(783, 1)),
  "runs of zeros of 254, 255 and 256": grey(
    new Uint8Array(784).fill(7).fill(0, 0, 254).fill(0, 255, 510).fill(0, 511, 767),
  ),
})) {
  test(`${what} comes back from its packed text`, () => {
    assert.deepEqual(unpack(pack(pixels)), pixels);
  });
}

for (const shape of [
  COLOURED,
  { channels: 1, rows: 36, columns: 36 },
  { channels: 2, rows: 48, columns: 5 },
  { channels: 3, rows: 224, columns: 224 },
])
  test(`an image of ${sizeWords(shape)} comes back when that shape is asked for`, () => {
    const pixels = noise(shape, seededRandom(3));
    const text = pack(pixels);
    assert.deepEqual(unpack(text, shape), pixels);
    assert.equal(unpack(text), null);
    assert.deepEqual(fromRows(toRows(inkOf(pixels), pixels)), pixels);
  });

for (const [what, text] of Object.entries({
  nothing: "",
  "characters that base64 has not": "!?%",
  "a single character": "A",
  "too few pixels": pack(grey(new Uint8Array(783).fill(9), 1)),
  "too many pixels": pack(grey(new Uint8Array(785).fill(9), 1)),
  "too many empty pixels": pack(grey(new Uint8Array(785), 1)),
  "a run that is cut off": btoa("\0"),
})) {
  test(`${what} is no image`, () => {
    assert.equal(unpack(text), null);
  });
}

test("one channel is sent as rows of ink", () => {
  const pixels = grey(EMPTY.bytes.with(28 * 2 + 5, 255).with(783, 51));
  const rows = toRows(inkOf(pixels), pixels);
  assert.equal(rows.length, 28);
  assert.ok(rows.every((row) => row.length === 28));
  assert.equal(rows[2][5], 1);
  assert.equal(rows[27][27], 0.2);
  assert.equal(rows.flat().filter((value) => value !== 0).length, 2);
});

test("images are the same when every pixel is", () => {
  assert.ok(samePixels(EMPTY, EMPTY));
  assert.ok(samePixels(EMPTY, blank()));
  assert.ok(!samePixels(EMPTY, grey(EMPTY.bytes.with(783, 1))));
  assert.ok(!samePixels(EMPTY, grey(EMPTY.bytes, 14)));
});

const fitted = (bytes, side) => [
  ...fitTo(grey(bytes), { channels: 1, rows: side, columns: side }).bytes,
];

test("a fitted pixel is the mean of the area that it covers", () => {
  // Three pixels to two: each covers one and a half of them, both ways.
  const bytes = fitted([90, 0, 0, 0, 0, 180, 0, 0, 0], 2);
  assert.deepEqual(bytes, [90 / 2.25, (0.5 * 180) / 2.25, 0, (0.5 * 180) / 2.25]);
});

test("grey becomes a colour of equal channels, and a colour its mean", () => {
  const colour = fitTo(grey([10, 20], 1), { channels: 3, rows: 1, columns: 2 });
  assert.deepEqual([...colour.bytes], [10, 20, 10, 20, 10, 20]);
  const three = pixelsOf(
    { channels: 3, rows: 1, columns: 1 },
    Uint8Array.of(30, 60, 90),
  );
  assert.deepEqual(fitTo(three, { channels: 1, rows: 1, columns: 1 }), grey([60]));
  assert.ok(Math.abs(greyOf(inkOf(three), three)[0] - 60 / 255) < 1e-12);
  assert.equal(planesOf(three.bytes, three).length, 3);
});

/** A square of rows of digits, each a hundred or so of ink. */
const square = (...rows) =>
  grey(rows.flatMap((row) => [...row].map((classIndex) => 100 * Number(classIndex))));

test("an image of any shape takes strokes", () => {
  const shape = { channels: 2, rows: 2, columns: 3 };
  const image = pixelsOf(shape, Uint8Array.of(0, 9, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0));
  const strokes = pixelsOf(shape, Uint8Array.of(0, 7, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0));
  const expected = Uint8Array.of(0, 9, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0);
  assert.deepEqual(withStrokes(image, strokes), pixelsOf(shape, expected));
});

test("a piece of an image is what its window shows, and nothing beyond the edge", () => {
  const shape = { channels: 2, rows: 2, columns: 3 };
  const image = pixelsOf(
    shape,
    Uint8Array.from({ length: 12 }, (_, i) => i + 1),
  );
  assert.deepEqual(pieceOf(image, { row: 1, column: -1, size: 2, columns: 3 }), {
    ...pixelsOf({ ...shape, columns: 3 }),
    bytes: Uint8Array.of(0, 4, 5, 0, 0, 0, 0, 10, 11, 0, 0, 0),
  });
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
