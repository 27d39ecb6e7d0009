/**
 * How much the units of a layer change, in terms in which pooled values and poses compare:
 * each unit is a vector, a value being a vector of one number.
 */

import { countFrom } from "./arithmetic.js";
import { roundingOf } from "./encoding.js";

/** The smallest difference that half precision can hold. */
const SMALLEST = 2 ** -24;

/**
 * @typedef {object} Units
 * @property {ArrayLike<number>} data unit by unit
 * @property {number} [size] numbers of a unit; 1 when absent
 */

/**
 * @typedef {object} Change
 * @property {number} units
 * @property {number} active units that are not zero both times
 * @property {number[]} stay of these, how many change by at most each of the limits
 * @property {number} share the sum of all changes' lengths, as a share of the sum of all
 *   lengths before; not a number where that is 0
 */

/**
 * @param {Units} before
 * @param {Units} after as many, of the same size
 * @param {readonly number[]} [limits] shares of the longer of a unit's two vectors
 * @returns {Change}
 */
export function changeOf({ data: was, size = 1 }, { data: is }, limits = []) {
  const units = was.length / size;
  const stay = limits.map(() => 0);
  let [active, changed, length] = [0, 0, 0];
  for (let start = 0; start < was.length; start += size) {
    const before = lengthOf(was, start, size);
    const longer = Math.max(before, lengthOf(is, start, size));
    if (longer === 0) continue;
    const by = distanceOf(was, is, start, size);
    length += before;
    changed += by;
    active++;
    for (let i = 0; i < limits.length; i++)
      if (isWithin(by, longer, limits[i])) stay[i]++;
  }
  return { units, active, stay, share: changed / length };
}

/**
 * @param {number} by length of the difference of two vectors
 * @param {number} longer length of the longer one
 * @param {number} limit share of that
 */
export function isWithin(by, longer, limit) {
  return by <= Math.max(limit * longer, SMALLEST);
}

/**
 * @param {ArrayLike<number>} values
 * @param {number} start of the vector
 * @param {number} size
 */
function lengthOf(values, start, size) {
  if (size === 1) return Math.abs(values[start]);
  let sum = 0;
  for (let i = start; i < start + size; i++) sum += values[i] ** 2;
  return Math.sqrt(sum);
}

/**
 * @param {ArrayLike<number>} a @param {ArrayLike<number>} b
 * @param {number} start of the vectors
 * @param {number} size
 */
function distanceOf(a, b, start, size) {
  if (size === 1) return Math.abs(a[start] - b[start]);
  let sum = 0;
  for (let i = start; i < start + size; i++) sum += (b[i] - a[i]) ** 2;
  return Math.sqrt(sum);
}

/**
 * How many values in half precision grow, and how many fall, by at least so much: exactly,
 * or about, where a difference is so near that rounding may have put it on the other side.
 * @param {ArrayLike<number>} before
 * @param {ArrayLike<number>} now as many
 * @param {number} least
 */
export function movesOf(before, now, least) {
  const moves = Array.from(now, (value, i) => value - before[i]);
  const errors = Array.from(
    now,
    (value, i) => roundingOf(value) + roundingOf(before[i]),
  );
  const falls = moves.map((move) => -move);
  return {
    raised: countFrom(moves, errors, least),
    lowered: countFrom(falls, errors, least),
  };
}

/**
 * Of windows that have a winner both times, how many another pixel wins.
 * @param {{ pooled: ArrayLike<number>, winners: ArrayLike<number> }} before
 * @param {{ pooled: ArrayLike<number>, winners: ArrayLike<number> }} after
 * @returns {{ contested: number, rewon: number }}
 */
export function rewonOf(before, after) {
  let [contested, rewon] = [0, 0];
  for (let i = 0; i < before.winners.length; i++) {
    if (before.pooled[i] === 0 || after.pooled[i] === 0) continue;
    contested++;
    if (before.winners[i] !== after.winners[i]) rewon++;
  }
  return { contested, rewon };
}
