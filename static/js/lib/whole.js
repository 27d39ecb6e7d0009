/** Whole numbers in links. */

/**
 * @param {string | null} text
 * @param {number} low
 * @param {number} high
 * @returns {number | null} null when it is not a whole number in low..high
 */
export function readWhole(text, low, high) {
  if (text === null || !/^\d+$/.test(text)) return null;
  const value = Number(text);
  return value >= low && value <= high ? value : null;
}
