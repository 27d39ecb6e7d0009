/**
 * How much the values of a layer change.
 */

import { countFrom } from "./arithmetic.js";
import { roundingOf } from "./encoding.js";

/** The smallest difference that half precision can hold. */
const SMALLEST = 2 ** -24;

/**
 * @typedef {object} Change
 * @property {number} active values that are not zero both times
 * @property {number[]} stay of these, how many change by at most each of the limits
 * @property {number} share the sum of all changes, as a share of the sum of all values
 *   before, both without signs; not a number where that is 0
 */

/**
 * @param {{ data: ArrayLike<number> }} before
 * @param {{ data: ArrayLike<number> }} after as many
 * @param {readonly number[]} [limits] shares of the larger of both values
 * @returns {Change}
 */
export function changeOf({ data: was }, { data: is }, limits = []) {
  const stay = limits.map(() => 0);
  let [active, changed, sum] = [0, 0, 0];
  for (let i = 0; i < was.length; i++) {
    const before = Math.abs(was[i]);
    const larger = Math.max(before, Math.abs(is[i]));
    if (larger === 0) continue;
    const by = Math.abs(is[i] - was[i]);
    sum += before;
    changed += by;
    active++;
    for (let k = 0; k < limits.length; k++)
      if (isWithin(by, larger, limits[k])) stay[k]++;
  }
  return { active, stay, share: changed / sum };
}

/**
 * @param {number} by the difference of two values
 * @param {number} larger of both, without signs
 * @param {number} limit share of that
 */
export function isWithin(by, larger, limit) {
  return by <= Math.max(limit * larger, SMALLEST);
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
