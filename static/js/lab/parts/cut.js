/**
 * An image cut into pieces: which pixel belongs to which.
 * Pure arithmetic: no DOM, no state.
 * @import { Grid } from "../../types.js"
 */

/** The owner of a pixel that belongs to no piece: it has no ink, or stays where it is. */
export const NONE = 255;

/** Pieces that a cut has at most. */
export const MOST_PIECES = 16;

/**
 * A rectangle of pixels.
 * @typedef {{ top: number, left: number, height: number, width: number }} Box
 */

/**
 * @typedef {object} Piece
 * @property {Box} box around its pixels
 * @property {number} row of the point about which it turns, in pixels from the image's
 *   top; the middle of the first row is 0.5
 * @property {number} column of that point, from the left
 */

/**
 * @typedef {object} Cut
 * @property {number} rows of the image
 * @property {number} columns
 * @property {Uint8Array} owners for each pixel its piece, or `NONE`
 * @property {readonly Piece[]} pieces
 */

/**
 * Cut an image into equal tiles, as `python -m capsnet_explorer measure` does. Where a side is no
 * multiple of the tiles in a row, the pixels left over at the edges stay.
 * @param {Grid} grid of the image's pixels
 * @param {number} across tiles in a row, at least 1
 * @returns {Cut} its pieces row by row
 */
export function cutTiles({ rows, columns }, across) {
  const [height, width] = [Math.floor(rows / across), Math.floor(columns / across)];
  const above = Math.floor((rows - across * height) / 2);
  const before = Math.floor((columns - across * width) / 2);
  const pieces = Array.from({ length: across ** 2 }, (_, tile) => {
    const top = above + Math.floor(tile / across) * height;
    const left = before + (tile % across) * width;
    const box = { top, left, height, width };
    return { box, row: top + height / 2, column: left + width / 2 };
  });
  const owners = new Uint8Array(rows * columns).fill(NONE);
  pieces.forEach(({ box: { top, left } }, tile) => {
    for (let row = top; row < top + height; row++)
      owners.fill(tile, row * columns + left, row * columns + left + width);
  });
  return { rows, columns, owners, pieces };
}

/**
 * The pieces that an owner for each pixel makes. A piece turns about the middle of the pixel
 * nearest to its ink's centre, so that a quarter turn moves pixels onto pixels.
 * @param {ArrayLike<number>} ink 0..1, row by row
 * @param {Grid} grid
 * @param {Uint8Array} owners 0, 1, … without a gap, or `NONE`; each with some ink
 * @returns {Cut}
 */
export function cutBy(ink, { rows, columns }, owners) {
  /** @type {{ top: number, left: number, bottom: number, right: number, ink: number, down: number, across: number }[]} */
  const extents = [];
  owners.forEach((owner, i) => {
    if (owner === NONE) return;
    const [row, column] = [Math.floor(i / columns), i % columns];
    extents[owner] ??= {
      top: row,
      left: column,
      bottom: row,
      right: column,
      ink: 0,
      down: 0,
      across: 0,
    };
    const extent = extents[owner];
    extent.left = Math.min(extent.left, column);
    extent.right = Math.max(extent.right, column);
    extent.bottom = row;
    extent.ink += ink[i];
    extent.down += ink[i] * row;
    extent.across += ink[i] * column;
  });
  const pieces = extents.map(
    ({ top, left, bottom, right, ink: all, down, across }) => ({
      box: { top, left, height: bottom - top + 1, width: right - left + 1 },
      row: Math.round(down / all) + 0.5,
      column: Math.round(across / all) + 0.5,
    }),
  );
  return { rows, columns, owners, pieces };
}
