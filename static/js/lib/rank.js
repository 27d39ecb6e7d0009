/** Order of values. */

/**
 * @param {ArrayLike<number>} values
 * @returns {number[]} indices, the largest value first
 */
export function ranked(values) {
  return Array.from(values, (_, i) => i).sort((a, b) => values[b] - values[a]);
}

/**
 * @param {ArrayLike<number>} values
 * @returns {number} the largest magnitude; 0 of none
 */
export function reach(values) {
  let largest = 0;
  for (let i = 0; i < values.length; i++)
    largest = Math.max(largest, Math.abs(values[i]));
  return largest;
}
