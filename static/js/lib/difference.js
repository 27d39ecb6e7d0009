/** Two pictures compared. */
import { largestOf } from "./rank.js";

/**
 * @param {ArrayLike<number>} after
 * @param {ArrayLike<number>} before
 * @returns {Float32Array} after - before
 */
export function differenceOf(after, before) {
  return Float32Array.from(after, (value, i) => value - before[i]);
}

/**
 * @param {ArrayLike<number>} differences at least one
 * @returns {number}
 */
export function meanSquare(differences) {
  let sum = 0;
  for (let i = 0; i < differences.length; i++) sum += differences[i] ** 2;
  return sum / differences.length;
}

/**
 * @param {ArrayLike<number>} before
 * @param {ArrayLike<number>} after as many, at least one
 * @returns {number | null} where they differ the most; null where nothing differs
 */
export function mostDifferent(before, after) {
  const differences = Array.from(after, (value, i) => Math.abs(value - before[i]));
  const most = largestOf(differences);
  return differences[most] === 0 ? null : most;
}
