/**
 * How many values of a layer change.
 */
import { countFrom } from "./arithmetic.js";
import { roundingOf } from "./encoding.js";

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
