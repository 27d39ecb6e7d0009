/**
 * A digit's bytes, a square of them: as numbers for the server, as text for a link, and
 * with strokes drawn on them.
 * @import { Pixels } from "../types.js"
 */
import { clamp } from "./arithmetic.js";
import { fromBase64, toBase64 } from "./encoding.js";

/** Pixels in a row of MNIST's digits, and so of every picture that the intake reads. */
export const SIDE = 28;

/**
 * Pixels in a row.
 * @param {Pixels} pixels a square
 */
export function sideOf(pixels) {
  return Math.sqrt(pixels.length);
}

/**
 * @param {Pixels} pixels
 * @returns {Float64Array} ink in 0..1, row by row
 */
export function inkOf(pixels) {
  const ink = new Float64Array(pixels.length); // `from` would take ten times as long
  for (let i = 0; i < ink.length; i++) ink[i] = pixels[i] / 255;
  return ink;
}

/**
 * @param {Pixels} pixels
 * @returns {number[][]} rows of values in 0..1
 */
export function toRows(pixels) {
  const side = sideOf(pixels);
  return Array.from({ length: side }, (_, row) =>
    Array.from(pixels.subarray(row * side, (row + 1) * side), (byte) => byte / 255),
  );
}

/**
 * @param {number[][]} rows of values in 0..1
 * @returns {Pixels}
 */
export function fromRows(rows) {
  return toBytes(rows.flat());
}

/**
 * @param {ArrayLike<number>} ink values in 0..1, row by row
 * @returns {Pixels}
 */
export function toBytes(ink) {
  const pixels = new Uint8Array(ink.length);
  for (let i = 0; i < pixels.length; i++) pixels[i] = Math.round(ink[i] * 255);
  return pixels;
}

/**
 * Scale a square of pixels: each becomes the mean of the area that it covers.
 * @param {Pixels} pixels
 * @param {number} side pixels in a row of what is wanted
 * @returns {Pixels} the same, where it has that size
 */
export function fitTo(pixels, side) {
  const from = sideOf(pixels);
  if (from === side) return pixels;
  const ink = inkOf(pixels);
  const parts = Array.from({ length: side }, (_, i) => overlaps(i, from, side));
  return toBytes(
    Float64Array.from({ length: side ** 2 }, (_, i) => {
      const [rows, columns] = [parts[Math.floor(i / side)], parts[i % side]];
      let sum = 0;
      for (const [row, high] of rows)
        for (const [column, wide] of columns)
          sum += high * wide * ink[row * from + column];
      return sum;
    }),
  );
}

/**
 * Which of `from` pixels in a row the one at `i` of `side` covers, and with which share
 * of itself.
 * @param {number} i
 * @param {number} from
 * @param {number} side
 * @returns {[at: number, share: number][]}
 */
function overlaps(i, from, side) {
  const [start, end] = [(i * from) / side, ((i + 1) * from) / side];
  /** @type {[number, number][]} */
  const found = [];
  for (let at = Math.floor(start); at < end; at++) {
    const share = (Math.min(end, at + 1) - Math.max(start, at)) / (end - start);
    if (share > 0) found.push([at, share]);
  }
  return found;
}

/**
 * Pack a digit into text that is safe in a link. Most pixels are empty, so a run of
 * zeros is written as a zero and the run's length.
 * @param {Pixels} pixels
 */
export function pack(pixels) {
  /** @type {number[]} */
  const bytes = [];
  for (let i = 0; i < pixels.length; ) {
    if (pixels[i] !== 0) {
      bytes.push(pixels[i++]);
      continue;
    }
    let run = 0;
    while (run < 255 && i < pixels.length && pixels[i] === 0) {
      run++;
      i++;
    }
    bytes.push(0, run);
  }
  return toBase64(bytes);
}

/**
 * Unpack a digit from a link.
 * @param {string} text made by `pack`
 * @param {number} [side] pixels in a row of what it should be
 * @returns {Pixels | null} null when the text is not a packed digit of that size
 */
export function unpack(text, side = SIDE) {
  const bytes = fromBase64(text);
  if (bytes === null) return null;
  const pixels = new Uint8Array(side ** 2);
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 0) at += bytes[++i] ?? 0;
    else if (at < pixels.length) pixels[at++] = bytes[i];
    else return null;
  }
  return at === pixels.length ? pixels : null;
}

/**
 * @param {Pixels} a
 * @param {Pixels} b
 */
export function samePixels(a, b) {
  return a === b || (a.length === b.length && a.every((byte, i) => byte === b[i]));
}

/**
 * An image with more ink. Each pixel takes the darker of both; then all move by whole
 * pixels, so that the centre of mass stays where the image had it, as far as no ink
 * leaves the frame. MNIST's digits are placed by their centre of mass, and a network that
 * has learned from them expects it there.
 * @param {Pixels} image
 * @param {Pixels} strokes of the same size
 * @returns {Pixels}
 */
export function withStrokes(image, strokes) {
  const both = image.map((byte, i) => Math.max(byte, strokes[i]));
  const [from, to] = [centreOf(image), centreOf(both)];
  if (from === null || to === null) return both;
  return movedBy(
    both,
    Math.round(from.row - to.row),
    Math.round(from.column - to.column),
  );
}

/**
 * @param {Pixels} pixels
 * @returns {{ row: number, column: number } | null} null where there is no ink
 */
function centreOf(pixels) {
  const side = sideOf(pixels);
  let [mass, down, across] = [0, 0, 0];
  pixels.forEach((byte, i) => {
    mass += byte;
    down += byte * Math.floor(i / side);
    across += byte * (i % side);
  });
  return mass === 0 ? null : { row: down / mass, column: across / mass };
}

/**
 * @param {Pixels} pixels
 * @param {number} down
 * @param {number} right
 * @returns {Pixels} the same where nothing moves
 */
function movedBy(pixels, down, right) {
  const side = sideOf(pixels);
  const rows = extentOf(pixels, (i) => Math.floor(i / side));
  const columns = extentOf(pixels, (i) => i % side);
  const [y, x] = [within(down, rows, side), within(right, columns, side)];
  if (y === 0 && x === 0) return pixels;
  const moved = new Uint8Array(pixels.length);
  pixels.forEach((byte, i) => {
    if (byte > 0) moved[i + y * side + x] = byte;
  });
  return moved;
}

/**
 * The first and the last row, or column, that holds ink.
 * @param {Pixels} pixels
 * @param {(i: number) => number} placeOf
 */
function extentOf(pixels, placeOf) {
  let [first, last] = [Infinity, -Infinity];
  pixels.forEach((byte, i) => {
    if (byte === 0) return;
    first = Math.min(first, placeOf(i));
    last = Math.max(last, placeOf(i));
  });
  return { first, last };
}

/**
 * @param {number} by
 * @param {{ first: number, last: number }} extent
 * @param {number} side
 */
function within(by, { first, last }, side) {
  return clamp(by, -first, side - 1 - last);
}

/**
 * The value between the four pixels around a point; outside the image it is 0.
 * @param {ArrayLike<number>} values of a square image, row by row
 * @param {number} side pixels in a row
 * @param {number} row the first pixel's middle is at 0
 * @param {number} column
 */
export function between(values, side, row, column) {
  const top = Math.floor(row);
  const left = Math.floor(column);
  const down = row - top;
  const right = column - left;
  const upper = alongRow(values, side, top, left, right);
  if (down === 0) return upper;
  return (1 - down) * upper + down * alongRow(values, side, top + 1, left, right);
}

/**
 * @param {ArrayLike<number>} values
 * @param {number} side
 * @param {number} row
 * @param {number} left the column before the point
 * @param {number} right from there to the point, 0 up to 1
 */
function alongRow(values, side, row, left, right) {
  if (row < 0 || row >= side) return 0;
  const first = left >= 0 && left < side ? values[row * side + left] : 0;
  if (right === 0) return first;
  const next = left + 1 >= 0 && left + 1 < side ? values[row * side + left + 1] : 0;
  return (1 - right) * first + right * next;
}

/**
 * @param {number} degrees
 * @returns {{ cos: number, sin: number }} exactly 0 and ±1 at quarter turns
 */
export function turnOf(degrees) {
  const angle = (degrees * Math.PI) / 180;
  const exact = (/** @type {number} */ value) =>
    degrees % 90 === 0 ? Math.round(value) : value;
  return { cos: exact(Math.cos(angle)), sin: exact(Math.sin(angle)) };
}
