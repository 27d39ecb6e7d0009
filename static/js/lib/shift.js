/**
 * An image, or a part of it, moved by whole pixels.
 * @import { Pixels } from "../types.js"
 */
import { clamp } from "./arithmetic.js";
import { counted } from "./format.js";

/** How far something can be moved, in pixels to either side. */
export const MOST = 2;

/**
 * How far something is moved, in pixels.
 * @typedef {{ down: number, right: number }} Shift
 */

/** @type {Shift} */
export const UNMOVED = { down: 0, right: 0 };

/** One pixel each way. */
export const STEPS = /** @type {const} */ ({
  left: { down: 0, right: -1 },
  right: { down: 0, right: 1 },
  up: { down: -1, right: 0 },
  down: { down: 1, right: 0 },
});

/** @param {Shift} shift */
export function isMoved({ down, right }) {
  return down !== 0 || right !== 0;
}

/** @param {Shift} a @param {Shift} b */
export function sameShift(a, b) {
  return a.down === b.down && a.right === b.right;
}

/**
 * @param {Shift} shift
 * @param {Shift} [step] to be added
 * @returns {Shift} at the ends it stays
 */
export function stepped({ down, right }, step = UNMOVED) {
  const within = (/** @type {number} */ at) => clamp(at, -MOST, MOST) + 0;
  return { down: within(down + step.down), right: within(right + step.right) };
}

/**
 * @param {Shift} by @param {string} [unit]
 * @returns {string} such as "2 pixels right and 1 pixel up"; empty where nothing is moved
 */
export function shiftWords({ down, right }, unit = "pixel") {
  const along = (
    /** @type {number} */ by,
    /** @type {[string, string]} */ [ahead, back],
  ) => (by === 0 ? [] : [`${counted(Math.abs(by), unit)} ${by > 0 ? ahead : back}`]);
  return [...along(right, ["right", "left"]), ...along(down, ["down", "up"])].join(
    " and ",
  );
}

/**
 * @param {Shift} shift
 * @returns {string} for a link: `-1,2` is one pixel up and two right
 */
export function packShift({ down, right }) {
  return `${down},${right}`;
}

/**
 * @param {string} text
 * @returns {Shift | null} null where it says none, or one that is too far
 */
export function unpackShift(text) {
  const found = /^(-?\d),(-?\d)$/.exec(text);
  if (found === null) return null;
  const [down, right] = found.slice(1).map((each) => Number(each) + 0); // no minus zero
  return Math.abs(down) <= MOST && Math.abs(right) <= MOST ? { down, right } : null;
}

/**
 * What leaves the image is lost; what comes in is empty.
 * @param {Pixels} pixels @param {Shift} shift
 * @returns {Pixels}
 */
export function movedPixels({ bytes: before, ...shape }, { down, right }) {
  const { rows, columns } = shape;
  const bytes = before.map((_, i) => {
    const row = (Math.floor(i / columns) % rows) - down;
    const column = (i % columns) - right;
    const isInside = row >= 0 && row < rows && column >= 0 && column < columns;
    return isInside ? before[i - down * columns - right] : 0;
  });
  return { ...shape, bytes };
}
