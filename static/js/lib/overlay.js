/**
 * Strokes on an image: what a network reads when somebody draws on a digit that has its
 * form already.
 * @import { Pixels } from "../types.js"
 */
import { sideOf } from "./pixels.js";

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
  return Math.min(Math.max(by, -first), side - 1 - last);
}
