/**
 * Pooling before and after the image moved, window by window: which values stay, and which
 * pixel wins.
 * @import { Shift } from "./shift.js"
 */

/**
 * What can become of a window. "zero": all four pixels are 0 both times, so that it never
 * had a winner. "same": value and winner stay. "absorbed": the value stays although
 * another pixel wins. "other": the value changes. "lit": all four are 0 before or after,
 * but not both times.
 */
export const KINDS = /** @type {const} */ ([
  "zero",
  "same",
  "absorbed",
  "other",
  "lit",
]);

/** @typedef {typeof KINDS[number]} Kind */

/**
 * Numbers come in half precision, and a convolution sums in another order elsewhere: two
 * values are the same if they are at most one step of half precision apart.
 */
const STEP = 2 ** -10; // of the larger value
const SMALLEST_STEP = 2 ** -24;

/**
 * @param {number} a
 * @param {number} b
 */
export function isSameValue(a, b) {
  const largest = Math.max(Math.abs(a), Math.abs(b));
  return Math.abs(a - b) <= Math.max(STEP * largest, SMALLEST_STEP);
}

/**
 * Pooled values and winners; of one map or of all, as long as both are of the same.
 * @typedef {{ pooled: Float32Array, winners: Float32Array }} Won
 */

/**
 * @param {Won} before
 * @param {Won} after
 * @returns {Uint8Array} for each window its kind, as a place in `KINDS`
 */
export function kindsOf(before, after) {
  return Uint8Array.from(before.pooled, (was, i) => {
    const is = after.pooled[i];
    return KINDS.indexOf(kindOf(was, is, before.winners[i] !== after.winners[i]));
  });
}

/**
 * @param {number} was
 * @param {number} is
 * @param {boolean} isOtherPixel
 * @returns {Kind}
 */
function kindOf(was, is, isOtherPixel) {
  if (was === 0 && is === 0) return "zero";
  if (was === 0 || is === 0) return "lit";
  if (!isSameValue(was, is)) return "other";
  return isOtherPixel ? "absorbed" : "same";
}

/**
 * How many windows there are of each kind, and what follows from that.
 * @typedef {Readonly<Record<Kind, number>> & {
 *   readonly windows: number,
 *   readonly active: number,
 *   readonly kept: number,
 *   readonly contested: number,
 *   readonly rewon: number,
 * }} Counts
 *   active: not zero both times; kept: active, and the value stays; contested: with a
 *   winner both times; rewon: of these, those in which another pixel wins
 */

/**
 * @param {Won} before
 * @param {Won} after
 * @returns {Counts}
 */
export function countsOf(before, after) {
  const counts = { zero: 0, same: 0, absorbed: 0, other: 0, lit: 0 };
  let rewon = 0;
  kindsOf(before, after).forEach((number, i) => {
    const kind = KINDS[number];
    counts[kind]++;
    const isContested = kind !== "zero" && kind !== "lit";
    if (isContested && before.winners[i] !== after.winners[i]) rewon++;
  });
  const { zero, same, absorbed, other, lit } = counts;
  const active = same + absorbed + other + lit;
  return {
    ...counts,
    windows: zero + active,
    active,
    kept: same + absorbed,
    contested: same + absorbed + other,
    rewon,
  };
}

/**
 * Of the values that are not zero both times, how many stay what they are: what the move
 * does to a map before it is pooled.
 * @param {Float32Array} before
 * @param {Float32Array} after
 * @returns {{ active: number, kept: number }}
 */
export function keptValues(before, after) {
  let [active, kept] = [0, 0];
  for (let i = 0; i < before.length; i++) {
    if (before[i] === 0 && after[i] === 0) continue;
    active++;
    if (isSameValue(before[i], after[i])) kept++;
  }
  return { active, kept };
}

/**
 * How much values change, all together.
 * @param {Float32Array} before
 * @param {Float32Array} after
 * @returns {number} the sum of all differences, without their signs, as a share of the
 *   activation before; not a number where there is none
 */
export function changeOf(before, after) {
  let [change, activation] = [0, 0];
  for (let i = 0; i < before.length; i++) {
    change += Math.abs(after[i] - before[i]);
    activation += before[i];
  }
  return change / activation;
}

/**
 * Where an image moved by whole windows, how far the pooled maps move with it.
 * @param {Shift} shift of the image, in pixels
 * @param {number} step from one window to the next, in pixels of the image
 * @returns {Shift | null} in windows; null where windows are cut differently
 */
export function movedWindows({ down, right }, step) {
  if (down % step !== 0 || right % step !== 0) return null;
  return { down: down / step, right: right / step };
}

/**
 * How many windows hold what the window held that the image moved away from.
 * @param {Float32Array} before (maps, across, across)
 * @param {Float32Array} after same shape
 * @param {number} across windows in a row
 * @param {Shift} by in windows
 * @returns {{ active: number, kept: number }} of those that have such a window, and are
 *   not zero both times
 */
export function keptAlong(before, after, across, { down, right }) {
  const [was, is] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let i = 0; i < after.length; i++) {
    const row = (Math.floor(i / across) % across) - down;
    const column = (i % across) - right;
    if (row < 0 || row >= across || column < 0 || column >= across) continue;
    was.push(before[i - down * across - right]);
    is.push(after[i]);
  }
  return keptValues(Float32Array.from(was), Float32Array.from(is));
}
