/**
 * How long the classes' names are: a digit's is one character, a garment's a word or two.
 */

/** Up to here a name stands wherever a digit does. */
const SHORT = 2;

/**
 * @param {readonly string[]} names
 * @returns {number} in characters, at least one
 */
export function longestName(names) {
  return Math.max(1, ...names.map((name) => [...name].length));
}

/**
 * Whether names need more room than digits do.
 * @param {readonly string[]} names
 */
export function areLong(names) {
  return longestName(names) > SHORT;
}
