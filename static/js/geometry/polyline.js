/** Values over equal steps as a line. Pure arithmetic: no DOM, no state. */

/**
 * @typedef {object} Frame
 * @property {number} left
 * @property {number} right
 * @property {number} top where `high` stands
 * @property {number} bottom where `low` stands
 * @property {number} low
 * @property {number} high
 */

/**
 * @param {number} index 0..count - 1; a single one stands in the middle
 * @param {number} count
 * @param {Frame} frame
 */
export function stepX(index, count, { left, right }) {
  return count > 1 ? left + (index / (count - 1)) * (right - left) : (left + right) / 2;
}

/**
 * @param {number} value
 * @param {Frame} frame
 */
export function valueY(value, { top, bottom, low, high }) {
  return bottom - ((value - low) / (high - low)) * (bottom - top);
}

/**
 * @param {readonly number[]} values
 * @param {Frame} frame
 * @returns {string} for the `points` of an SVG polyline
 */
export function linePoints(values, frame) {
  return values
    .map((value, i) => {
      const x = stepX(i, values.length, frame).toFixed(2);
      return `${x},${valueY(value, frame).toFixed(2)}`;
    })
    .join(" ");
}
