/**
 * Two digits on top of each other: where each lies, the image that they make, and whose ink
 * it is. The same definitions as `laboratory/overlay.py`.
 * @import { Grid, ImageShape, Laid, Pixels } from "../types.js"
 */
import { clamp } from "./arithmetic.js";
import { inkOf, pixelsOf } from "./pixels.js";

/** Ink above this counts as a digit's own. */
export const INK = 0.2;

const MOST = 255; // ink of a pixel

/**
 * A grey image in the middle of a canvas, moved by whole pixels.
 * @param {Pixels} pixels
 * @param {ImageShape} canvas
 * @param {{ right: number, down: number }} [shift] what leaves the canvas is lost
 * @returns {Pixels}
 */
export function placed(pixels, canvas, { right, down } = { right: 0, down: 0 }) {
  const image = pixelsOf(canvas);
  const top = middle(pixels.rows, canvas.rows) + down;
  const firstColumn = middle(pixels.columns, canvas.columns) + right;
  for (let row = 0; row < pixels.rows; row++)
    for (let column = 0; column < pixels.columns; column++) {
      const [y, x] = [top + row, firstColumn + column];
      if (y >= 0 && y < canvas.rows && x >= 0 && x < canvas.columns)
        image.bytes[y * canvas.columns + x] =
          pixels.bytes[row * pixels.columns + column];
    }
  return image;
}

/** Pixels before an image in a canvas's middle. @param {number} size @param {number} room */
const middle = (size, room) => Math.floor((room - size) / 2);

/** A digit, which one a pair may lack. @typedef {Laid | null} Digit */

/**
 * Each digit of a pair alone on the canvas; no ink where there is none.
 * @param {readonly Digit[]} digits @param {ImageShape} canvas
 * @returns {Pixels[]}
 */
export function apart(digits, canvas) {
  return digits.map((digit) =>
    digit === null ? pixelsOf(canvas) : placed(digit.pixels, canvas, digit),
  );
}

/**
 * The clipped sum of two images of the same shape.
 * @param {readonly Pixels[]} images
 * @returns {Pixels}
 */
export function merged([first, other]) {
  const bytes = first.bytes.map((byte, i) => Math.min(byte + other.bytes[i], MOST));
  return pixelsOf(first, bytes);
}

/**
 * How far a digit may be moved without losing ink.
 * @param {Laid} digit @param {Grid} canvas
 * @returns {{ right: [low: number, high: number], down: [low: number, high: number] }}
 */
export function roomOf({ pixels }, canvas) {
  const { rows, columns, bytes } = pixels;
  const inked = [...bytes.keys()].filter((i) => bytes[i] > 0);
  /** @param {number} size @param {number} room @param {(i: number) => number} at */
  const along = (size, room, at) => {
    const before = middle(size, room);
    const places = inked.map(at);
    if (places.length === 0) return [0, 0];
    return [-before - Math.min(...places), room - 1 - before - Math.max(...places)];
  };
  const right = along(columns, canvas.columns, (i) => i % columns);
  const down = along(rows, canvas.rows, (i) => Math.floor(i / columns));
  return /** @type {any} */ ({ right, down });
}

/**
 * A digit elsewhere, as far as none of its ink is lost.
 * @param {Laid} digit @param {Grid} canvas
 * @param {{ right: number, down: number }} to
 * @returns {Laid}
 */
export function movedTo(digit, canvas, to) {
  const { right, down } = roomOf(digit, canvas);
  return { ...digit, right: clamp(to.right, ...right), down: clamp(to.down, ...down) };
}

/**
 * How many pixels have ink of either digit, and of both.
 * @param {readonly Pixels[]} alone both on the canvas
 * @returns {{ one: number, other: number, both: number }} the first two with the shared ones
 */
export function inkShared(alone) {
  const [first, second] = alone.map(inkOf);
  let [one, other, both] = [0, 0, 0];
  first.forEach((ink, i) => {
    const [isOne, isOther] = [ink > INK, second[i] > INK];
    if (isOne) one++;
    if (isOther) other++;
    if (isOne && isOther) both++;
  });
  return { one, other, both };
}

/**
 * The share of ink that two reconstructions give to the right digit: of the ink of pixels
 * where one digit alone has any, that where its reconstruction is the brighter one; half
 * where both are equal.
 * @param {readonly ArrayLike<number>[]} alone each digit, in 0..1
 * @param {readonly ArrayLike<number>[]} drawn each digit's reconstruction
 * @returns {number | null} null where no pixel is of one digit alone
 */
export function givenRight([first, second], [drawn, others]) {
  let [right, all] = [0, 0];
  for (let i = 0; i < first.length; i++) {
    const isOne = first[i] > INK;
    if (isOne === second[i] > INK) continue;
    const ink = isOne ? first[i] : second[i];
    const lead = isOne ? drawn[i] - others[i] : others[i] - drawn[i];
    all += ink;
    right += (ink * (Math.sign(lead) + 1)) / 2;
  }
  return all === 0 ? null : right / all;
}

/**
 * Which of two classes is for which digit, as far as labels tell.
 * @param {readonly (number | null)[]} labels of both digits
 * @param {readonly number[]} classes two
 * @returns {{ isTurned: boolean, isMatched: boolean } | null} isTurned: the first class is
 *   for the second digit; isMatched: both labels are these classes; null: they do not tell
 */
export function orderByLabels(labels, [first, other]) {
  const straight = Number(labels[0] === first) + Number(labels[1] === other);
  const turned = Number(labels[0] === other) + Number(labels[1] === first);
  if (straight === turned) return null;
  return { isTurned: turned > straight, isMatched: Math.max(straight, turned) === 2 };
}

/**
 * Which picture is of which digit: by their labels where these tell, else as more ink is
 * given to the right one.
 * @param {{ alone: readonly ArrayLike<number>[], labels: readonly (number | null)[] }} truth
 * @param {readonly { classIndex: number, data: ArrayLike<number> }[]} pictures two
 * @returns {{ isTurned: boolean, byLabels: boolean, isMatched: boolean }} isTurned: the
 *   first picture is of the second digit; isMatched: the labels are those of both pictures
 */
export function matchOf({ alone, labels }, pictures) {
  const order = orderByLabels(
    labels,
    pictures.map(({ classIndex }) => classIndex),
  );
  if (order !== null) return { ...order, byLabels: true };
  const share = (/** @type {number[]} */ order) =>
    givenRight(
      alone,
      order.map((i) => pictures[i].data),
    ) ?? 0;
  const isTurned = share([1, 0]) > share([0, 1]);
  return { isTurned, byLabels: false, isMatched: false };
}
