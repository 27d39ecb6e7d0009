/** Two pictures compared. */

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
