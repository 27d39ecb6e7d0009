/**
 * Changes of an image as `POST /api/transform` makes them, for a picture that follows the
 * hand without waiting for a server. Both agree up to rounding; only the pattern of the
 * noise is the page's own.
 * Pure arithmetic: no DOM, no state.
 * @import { Pixels } from "../../types.js"
 */
import { clamp, random } from "../../lib/arithmetic.js";
import { between, inkOf, sideOf, toBytes, turnOf } from "../../lib/pixels.js";

/** Standard deviations after which the Gaussian is cut off. */
const BLUR_REACH = 4;

/** Of the noise: the same pattern for every image, scaled. */
const SEED = 1;

/**
 * One change; its parts apply in this order, and an absent one changes nothing.
 * @typedef {object} Change
 * @property {number} [scale] factor about the centre
 * @property {number} [shear] degrees; above 0 the top leans to the right
 * @property {number} [rotate] degrees counter-clockwise about the centre
 * @property {readonly [right: number, down: number]} [shift] pixels
 * @property {number} [stroke] pixels by which every edge of the ink moves outward
 * @property {number} [blur] standard deviation of a Gaussian, in pixels
 * @property {number} [contrast] factor on every pixel
 * @property {number} [ground] added to every pixel
 * @property {number} [noise] by which each pixel moves at most, at random
 */

/**
 * @param {Pixels} pixels a square
 * @param {Change} change
 * @returns {Pixels}
 */
export function changedPixels(pixels, change) {
  return toBytes(changedInk(inkOf(pixels), sideOf(pixels), change));
}

/**
 * @param {ArrayLike<number>} ink 0..1, row by row
 * @param {number} side pixels in a row
 * @param {Change} change
 * @returns {Float64Array} 0..1
 */
export function changedInk(ink, side, change) {
  const { stroke = 0, blur = 0, contrast = 1, ground = 0, noise = 0 } = change;
  let found = moved(ink, side, change);
  if (stroke !== 0) found = stroked(found, side, stroke);
  if (blur > 0) found = blurred(found, side, blur);
  const next = random(SEED);
  for (let i = 0; i < found.length; i++) {
    const by = noise > 0 ? noise * (2 * next() - 1) : 0;
    found[i] = clamp(contrast * found[i] + ground + by, 0, 1);
  }
  return found;
}

/**
 * Scale, shear, rotate and shift by one bilinear interpolation.
 * @param {ArrayLike<number>} ink
 * @param {number} side
 * @param {Change} change
 */
function moved(ink, side, { scale = 1, shear = 0, rotate = 0, shift = [0, 0] }) {
  const { cos, sin } = turnOf(rotate);
  const lean = Math.tan((shear * Math.PI) / 180);
  const middle = (side - 1) / 2;
  const found = new Float64Array(side ** 2);
  for (let i = 0; i < found.length; i++) {
    // Back from the pixel to its source: the shift, the turn, the lean, the size.
    const x = (i % side) - middle - shift[0];
    const y = Math.floor(i / side) - middle - shift[1];
    const up = sin * x + cos * y;
    const across = cos * x - sin * y + lean * up;
    found[i] = between(ink, side, up / scale + middle, across / scale + middle);
  }
  return found;
}

/**
 * Thicken or thin: the largest or smallest value within a disc around each pixel. Between
 * whole radii, both neighbours are mixed.
 * @param {Float64Array} ink
 * @param {number} side
 * @param {number} by pixels, below 0 to thin
 */
function stroked(ink, side, by) {
  const whole = Math.floor(Math.abs(by));
  const part = Math.abs(by) - whole;
  const pick = by > 0 ? Math.max : Math.min;
  const first = extremes(ink, side, whole, pick);
  if (part === 0) return first;
  const further = extremes(ink, side, whole + 1, pick);
  return first.map((value, i) => (1 - part) * value + part * further[i]);
}

/**
 * @param {Float64Array} ink
 * @param {number} side
 * @param {number} radius of the centres that count
 * @param {(a: number, b: number) => number} pick
 */
function extremes(ink, side, radius, pick) {
  const found = ink.slice();
  for (let down = -radius; down <= radius; down++)
    for (let right = -radius; right <= radius; right++) {
      if (down ** 2 + right ** 2 > radius ** 2) continue;
      for (let row = 0; row < side; row++)
        for (let column = 0; column < side; column++) {
          const [y, x] = [row + down, column + right];
          const isInside = y >= 0 && y < side && x >= 0 && x < side;
          const i = row * side + column;
          found[i] = pick(found[i], isInside ? ink[y * side + x] : 0);
        }
    }
  return found;
}

/**
 * Blur by a Gaussian; what lies outside is 0.
 * @param {Float64Array} ink
 * @param {number} side
 * @param {number} deviation in pixels
 */
function blurred(ink, side, deviation) {
  const reach = Math.ceil(BLUR_REACH * deviation);
  const weights = Array.from({ length: reach + 1 }, (_, offset) =>
    Math.exp(-0.5 * (offset / deviation) ** 2),
  );
  const all = 2 * weights.reduce((sum, weight) => sum + weight) - weights[0];
  /** Along the rows, turned over, so that twice is along both. */
  const along = (/** @type {Float64Array} */ values) => {
    const turned = new Float64Array(side ** 2);
    for (let row = 0; row < side; row++)
      for (let column = 0; column < side; column++) {
        const last = Math.min(side - 1, column + reach);
        let sum = 0;
        for (let from = Math.max(0, column - reach); from <= last; from++)
          sum += weights[Math.abs(from - column)] * values[row * side + from];
        turned[column * side + row] = sum / all;
      }
    return turned;
  };
  return along(along(ink));
}
