/**
 * Equal tiles laid out in rows, as pictures of many small maps are. Pure arithmetic: no
 * DOM, no state.
 */

/**
 * @typedef {object} Layout
 * @property {number} count tiles
 * @property {number} across tiles in one row
 * @property {number} rows cells in a tile, top to bottom
 * @property {number} columns cells in a tile, left to right
 * @property {number} gap cells between neighbouring tiles
 */

/**
 * A picture of a single tile, or of an image.
 * @param {{ rows: number, columns: number }} size
 * @returns {Layout}
 */
export function oneTile({ rows, columns }) {
  return { count: 1, across: 1, rows, columns, gap: 0 };
}

/**
 * Tiles in a row of a picture that is as high as it is wide, or nearly so.
 * @param {number} count of all tiles
 */
export function acrossSquare(count) {
  return Math.ceil(Math.sqrt(count));
}

/**
 * How many square tiles stand in a row of a picture about twice as wide as high.
 * @param {number} count
 */
export function acrossWide(count) {
  return Math.min(count, Math.ceil(Math.sqrt(1.9 * count)));
}

/**
 * @param {Layout} layout
 * @returns {{ width: number, height: number }} of the whole picture, in cells
 */
export function pictureSize({ count, across, rows, columns, gap }) {
  const down = Math.ceil(count / across);
  return { width: across * (columns + gap) - gap, height: down * (rows + gap) - gap };
}

/**
 * @param {Layout} layout @param {number} tile
 * @returns {{ x: number, y: number }} top-left cell
 */
export function tilePlace({ across, rows, columns, gap }, tile) {
  return {
    x: (tile % across) * (columns + gap),
    y: Math.floor(tile / across) * (rows + gap),
  };
}

/**
 * What lies under a point of the picture.
 * @param {Layout} layout
 * @param {number} x in cells, fractions allowed
 * @param {number} y
 * @returns {{ tile: number, row: number, column: number } | null} null in a gap
 */
export function tileAt({ count, across, rows, columns, gap }, x, y) {
  if (x < 0 || y < 0) return null;
  const tileColumn = Math.floor(x / (columns + gap));
  const tileRow = Math.floor(y / (rows + gap));
  const tile = tileRow * across + tileColumn;
  const column = Math.floor(x - tileColumn * (columns + gap));
  const row = Math.floor(y - tileRow * (rows + gap));
  const isInside =
    tileColumn < across && tile < count && column < columns && row < rows;
  return isInside ? { tile, row, column } : null;
}

/** How far a cross keeps from its cell's edges, in cells. */
const MARGIN = 0.25;

/**
 * Cross out cells of a grid.
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
