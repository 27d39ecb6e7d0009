/** Crossing out cells of a grid. Pure arithmetic: no DOM, no state. */

/** How far a cross keeps from its cell's edges, in cells. */
const MARGIN = 0.25;

/**
 * @param {readonly number[]} cells row * columns + column
 * @param {number} columns
 * @returns {string} SVG path data in cells: two strokes for each
 */
export function crosses(cells, columns) {
  const reach = 1 - 2 * MARGIN;
  return cells
    .map((cell) => {
      const left = (cell % columns) + MARGIN;
      const top = Math.floor(cell / columns) + MARGIN;
      return `M${left} ${top}l${reach} ${reach}M${left + reach} ${top}l${-reach} ${reach}`;
    })
    .join("");
}
