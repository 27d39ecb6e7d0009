/**
 * An image moved by whole pixels.
 * @import { Pixels } from "../../../../types.js"
 */
import { clamp, sum } from "../../../../lib/arithmetic.js";
import { pixelsOf } from "../../../../lib/pixels.js";

/** How far an image can be moved, in pixels to either side. */
export const MOST = 2;

/**
 * How far an image is moved, in pixels.
 * @typedef {{ down: number, right: number }} Shift
 */

/** @type {Shift} */
export const UNMOVED = { down: 0, right: 0 };

/** @param {Shift} shift */
export function isMoved({ down, right }) {
  return down !== 0 || right !== 0;
}

/**
 * @param {Shift} a
 * @param {Shift} b
 */
export function sameShift(a, b) {
  return a.down === b.down && a.right === b.right;
}

/**
 * @param {Shift} shift
 * @param {Shift} step
 * @returns {Shift} at the ends it stays
 */
export function stepped(shift, step) {
  const within = (/** @type {number} */ at) => clamp(at, -MOST, MOST);
  return {
    down: within(shift.down + step.down),
    right: within(shift.right + step.right),
  };
}

/**
 * What leaves the image is lost; what comes in is empty.
 * @param {Pixels} pixels
 * @param {Shift} shift
 * @returns {Pixels}
 */
export function movedPixels(pixels, { down, right }) {
  const { bytes, rows, columns } = pixels;
  const moved = bytes.map((_, i) => {
    const row = (Math.floor(i / columns) % rows) - down;
    const column = (i % columns) - right;
    const isInside = row >= 0 && row < rows && column >= 0 && column < columns;
    return isInside ? bytes[i - down * columns - right] : 0;
  });
  return pixelsOf(pixels, moved);
}

/**
 * Which share of the ink a move pushes out of the image.
 * @param {Pixels} before
 * @param {Pixels} after
 * @returns {number} in 0..1; 0 of an empty image
 */
export function inkLost(before, after) {
  const ink = (/** @type {Pixels} */ { bytes }) => sum(bytes);
  const all = ink(before);
  return all === 0 ? 0 : (all - ink(after)) / all;
}
