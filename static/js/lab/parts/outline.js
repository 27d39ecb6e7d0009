/**
 * The outline of pixels.
 * Pure arithmetic: no DOM, no state.
 * @import { Cut } from "./cut.js"
 */

/**
 * All pixels of a piece as rectangles of one row each, to point at.
 * @param {Cut} cut
 * @param {number} piece
 * @returns {string} for an SVG path in pixels
 */
export function areaPath({ side, owners }, piece) {
  let path = "";
  for (let row = 0; row < side; row++)
    for (let start = 0; start < side; start++) {
      let end = start;
      while (end < side && owners[row * side + end] === piece) end++;
      if (end === start) continue;
      path += `M${start} ${row}h${end - start}v1H${start}z`;
      start = end;
    }
  return path;
}

/**
 * The edges between a piece's pixels and others.
 * @param {Cut} cut
 * @param {number} piece
 * @returns {string} for an SVG path in pixels
 */
export function outlinePath({ side, owners }, piece) {
  const isOwn = (/** @type {number} */ row, /** @type {number} */ column) =>
    row >= 0 &&
    row < side &&
    column >= 0 &&
    column < side &&
    owners[row * side + column] === piece;
  let path = "";
  for (let row = 0; row <= side; row++)
    for (let column = 0; column <= side; column++) {
      const own = isOwn(row, column);
      if (own !== isOwn(row - 1, column)) path += `M${column} ${row}h1`;
      if (own !== isOwn(row, column - 1)) path += `M${column} ${row}v1`;
    }
  return path;
}
