/**
 * Makes a picture of tiles something to point at and to walk on: the pointer hovers and
 * chooses, arrow keys move the choice from cell to cell.
 * @import { Layout } from "../geometry/tiles.js"
 */
import { pictureSize, tileAt } from "../geometry/tiles.js";
import { arrowOf } from "./arrows.js";

/**
 * What is under the pointer: a cell of a place. Places count as laid out, so they are
 * tiles only where tiles stand in their own order.
 * @typedef {{ place: number, row: number, column: number }} Cell
 */

/**
 * @param {HTMLElement} target a canvas, or what lies over it, of the picture's extent
 * @param {object} options
 * @param {() => Layout | null} options.layout of the picture as it is now; null before
 *   there is one, when there is nothing to point at
 * @param {"place" | "cell"} options.step what one arrow key moves by
 * @param {() => Cell} options.chosen
 * @param {(cell: Cell) => void} options.choose on click, tap and arrow keys
 * @param {(cell: Cell | null) => void} [options.hover] null when the pointer leaves
 */
export function pickFromGrid(target, { layout, step, chosen, choose, hover }) {
  target.tabIndex = 0;

  const under = (/** @type {MouseEvent} */ event) => cellUnder(target, layout(), event);

  target.addEventListener("pointermove", (event) => hover?.(under(event)));
  target.addEventListener("pointerleave", () => hover?.(null));
  target.addEventListener("click", (event) => {
    const cell = under(event);
    if (cell) choose(cell);
  });
  target.addEventListener("keydown", (event) => {
    const direction = arrowOf(event);
    if (direction === null) return;
    event.preventDefault();
    const now = layout();
    if (now !== null) choose(moved(chosen(), direction, now, step));
  });
}

/**
 * What is under the pointer.
 * @param {Element} target of the picture's extent
 * @param {Layout | null} layout of the picture as it is now
 * @param {MouseEvent} event
 * @returns {Cell | null} null in a gap, and where there is no picture
 */
export function cellUnder(target, layout, { clientX, clientY }) {
  if (layout === null) return null;
  const box = target.getBoundingClientRect();
  const { width, height } = pictureSize(layout);
  const x = ((clientX - box.left) / box.width) * width;
  const y = ((clientY - box.top) / box.height) * height;
  const found = tileAt(layout, x, y);
  return found && { place: found.tile, row: found.row, column: found.column };
}

/**
 * One step from a cell; at the edges it stays.
 * @param {Cell} from
 * @param {readonly [number, number]} direction
 * @param {Layout} layout
 * @param {"place" | "cell"} step
 * @returns {Cell}
 */
export function moved(from, [down, right], { count, across, rows, columns }, step) {
  if (step === "cell") {
    return {
      place: from.place,
      row: clamp(from.row + down, rows),
      column: clamp(from.column + right, columns),
    };
  }
  const place = from.place + down * across + right;
  const isWrapping =
    right !== 0 && Math.floor(place / across) !== Math.floor(from.place / across);
  return place < 0 || place >= count || isWrapping ? from : { ...from, place };
}

/**
 * @param {number} value
 * @param {number} size
 */
function clamp(value, size) {
  return Math.min(Math.max(value, 0), size - 1);
}
