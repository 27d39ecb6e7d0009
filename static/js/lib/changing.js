/**
 * Changes of an image as `POST /api/transform` makes them, for a picture that follows the
 * hand without waiting for a server. Both agree up to rounding.
 * Pure arithmetic: no DOM, no state.
 * @import { Grid, ImageShape, Pixels } from "../types.js"
 */
import { clamp } from "./arithmetic.js";
import { uniform } from "./chance.js";
import { between, inkOf, planesOf, toPixels, turnOf } from "./pixels.js";

/** Standard deviations after which the Gaussian is cut off. */
const BLUR_REACH = 4;

/** Of the noise: the server’s, where a request names none. */
const SEED = 0;

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

/** @param {Pixels} pixels @param {Change} change @returns {Pixels} */
export function changedPixels(pixels, change) {
  return toPixels(changedInk(inkOf(pixels), pixels, change), pixels);
}

/**
 * @param {Float32Array | Float64Array} ink 0..1, channel by channel, row by row
 * @param {ImageShape} shape @param {Change} change
 * @returns {Float64Array} 0..1
 */
export function changedInk(ink, shape, change) {
  const { stroke = 0, blur = 0, contrast = 1, ground = 0, noise = 0 } = change;
  const shares = noise > 0 ? uniform(SEED, ink.length) : [];
  const all = new Float64Array(ink.length);
  planesOf(ink, shape).forEach((plane, channel) => {
    let values = moved(plane, shape, change);
    if (stroke !== 0) values = stroked(values, shape, stroke);
    if (blur > 0) values = blurred(values, shape, blur);
    const from = channel * values.length;
    for (let i = 0; i < values.length; i++) {
      const by = noise > 0 ? noise * (2 * shares[from + i] - 1) : 0;
      all[from + i] = clamp(contrast * values[i] + ground + by, 0, 1);
    }
  });
  return all;
}

/**
 * Scale, shear, rotate and shift by one bilinear interpolation.
 * @param {ArrayLike<number>} ink @param {Grid} grid @param {Change} change
 */
function moved(ink, grid, { scale = 1, shear = 0, rotate = 0, shift = [0, 0] }) {
  const { cos, sin } = turnOf(rotate);
  const lean = Math.tan((shear * Math.PI) / 180);
  const { rows, columns } = grid;
  const [middle, centre] = [(rows - 1) / 2, (columns - 1) / 2];
  const values = new Float64Array(rows * columns);
  for (let i = 0; i < values.length; i++) {
    // Back from the pixel to its source: the shift, the turn, the lean, the size.
    const x = (i % columns) - centre - shift[0];
    const y = Math.floor(i / columns) - middle - shift[1];
    const up = sin * x + cos * y;
    const across = cos * x - sin * y + lean * up;
    values[i] = between(ink, grid, up / scale + middle, across / scale + centre);
  }
  return values;
}

/**
 * Thicken or thin: the largest or smallest value within a disc around each pixel. Between
 * whole radii, both neighbours are mixed.
 * @param {Float64Array} ink @param {Grid} grid
 * @param {number} by pixels, below 0 to thin
 */
function stroked(ink, grid, by) {
  const whole = Math.floor(Math.abs(by));
  const part = Math.abs(by) - whole;
  const pick = by > 0 ? Math.max : Math.min;
  const first = extremes(ink, grid, whole, pick);
  if (part === 0) return first;
  const further = extremes(ink, grid, whole + 1, pick);
  return first.map((value, i) => (1 - part) * value + part * further[i]);
}

/**
 * @param {Float64Array} ink @param {Grid} grid
 * @param {number} radius of the centres that count
 * @param {(a: number, b: number) => number} pick
 */
function extremes(ink, { rows, columns }, radius, pick) {
  const picked = ink.slice();
  for (const [down, right] of discOf(radius))
    for (let i = 0; i < ink.length; i++) {
      const [y, x] = [Math.floor(i / columns) + down, (i % columns) + right];
      const isInside = y >= 0 && y < rows && x >= 0 && x < columns;
      picked[i] = pick(picked[i], isInside ? ink[y * columns + x] : 0);
    }
  return picked;
}

/** Steps to all places within a disc. @param {number} radius @returns {[number, number][]} */
function discOf(radius) {
  const steps = Array.from({ length: 2 * radius + 1 }, (_, i) => i - radius);
  return steps.flatMap((down) =>
    steps
      .filter((right) => down ** 2 + right ** 2 <= radius ** 2)
      .map((right) => /** @type {[number, number]} */ ([down, right])),
  );
}

/**
 * Blur by a Gaussian; what lies outside is 0.
 * @param {Float64Array} ink @param {Grid} grid
 * @param {number} deviation in pixels
 */
function blurred(ink, { rows, columns }, deviation) {
  const reach = Math.ceil(BLUR_REACH * deviation);
  const weights = Array.from({ length: reach + 1 }, (_, offset) =>
    Math.exp(-0.5 * (offset / deviation) ** 2),
  );
  const all = 2 * weights.reduce((sum, weight) => sum + weight) - weights[0];
  /** Blurs along the rows and transposes, so that two passes blur both ways. */
  const along = (/** @type {Float64Array} */ values, high = rows, wide = columns) => {
    const turned = new Float64Array(high * wide);
    for (let row = 0; row < high; row++)
      for (let column = 0; column < wide; column++) {
        const last = Math.min(wide - 1, column + reach);
        let sum = 0;
        for (let from = Math.max(0, column - reach); from <= last; from++)
          sum += weights[Math.abs(from - column)] * values[row * wide + from];
        turned[column * high + row] = sum / all;
      }
    return turned;
  };
  return along(along(ink), columns, rows);
}
