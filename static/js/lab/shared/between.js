/**
 * Reading an image between its pixels, and turning without rounding errors.
 * Pure arithmetic: no DOM, no state.
 */

/**
 * The value between the four pixels around a point; outside the image it is 0.
 * @param {ArrayLike<number>} values of a square image, row by row
 * @param {number} side pixels in a row
 * @param {number} row the first pixel's middle is at 0
 * @param {number} column
 */
export function between(values, side, row, column) {
  const top = Math.floor(row);
  const left = Math.floor(column);
  const down = row - top;
  const right = column - left;
  const upper = alongRow(values, side, top, left, right);
  if (down === 0) return upper;
  return (1 - down) * upper + down * alongRow(values, side, top + 1, left, right);
}

/**
 * @param {ArrayLike<number>} values
 * @param {number} side
 * @param {number} row
 * @param {number} left the column before the point
 * @param {number} right from there to the point, 0 up to 1
 */
function alongRow(values, side, row, left, right) {
  if (row < 0 || row >= side) return 0;
  const first = left >= 0 && left < side ? values[row * side + left] : 0;
  if (right === 0) return first;
  const next = left + 1 >= 0 && left + 1 < side ? values[row * side + left + 1] : 0;
  return (1 - right) * first + right * next;
}

/**
 * @param {number} degrees
 * @returns {{ cos: number, sin: number }} exactly 0 and ±1 at quarter turns
 */
export function turnOf(degrees) {
  const angle = (degrees * Math.PI) / 180;
  const exact = (/** @type {number} */ value) =>
    degrees % 90 === 0 ? Math.round(value) : value;
  return { cos: exact(Math.cos(angle)), sin: exact(Math.sin(angle)) };
}
