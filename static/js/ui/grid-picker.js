/**
 * Makes a picture of tiles something to point at and to walk on: the pointer hovers and
 * chooses, arrow keys move the choice from cell to cell. The picture's readout is repeated
 * at the pointer, and at the cell that the keys have come to.
 * @import { Layout } from "../geometry/tiles.js"
 */
import { pictureSize, tileAt, tilePlace } from "../geometry/tiles.js";
import { arrowOf } from "./arrows.js";
import { placeIn, valueTip } from "./value-tip.js";

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
 * @param {(cell: Cell) => string} [options.words] what to write beside a cell; else, and
 *   where the keys have come to a whole tile, it is what the readout tells
 */
export function pickFromGrid(target, { layout, step, chosen, choose, hover, words }) {
  target.tabIndex = 0;

  const under = (/** @type {MouseEvent} */ event) => cellUnder(target, layout(), event);
  const tip = valueTip(target, {
    place() {
      const now = layout();
      return placeIn(target, now ? partOf(now, chosen(), step) : WHOLE);
    },
    words: () => (step === "cell" && layout() && words?.(chosen())) || null,
  });

  target.addEventListener("pointermove", (event) => {
    const cell = under(event);
    hover?.(cell);
    if (cell === null) tip.end();
    else tip.point(event, words?.(cell));
  });
  target.addEventListener("pointerleave", () => hover?.(null));
  target.addEventListener("click", (event) => {
    const cell = under(event);
    if (cell === null) return;
    choose(cell);
    tip.point(event, words?.(cell));
  });
  target.addEventListener("keydown", (event) => {
    const direction = arrowOf(event);
    if (direction === null) return;
    event.preventDefault();
    const now = layout();
    if (now === null) return;
    choose(moved(chosen(), direction, now, step));
    tip.walk();
  });
}

const WHOLE = { x: 0, y: 0, width: 1, height: 1 };

/**
 * What arrow keys choose, in parts of the picture's sides: a cell, or a whole tile.
 * @param {Layout} layout
 * @param {Cell} cell
 * @param {"place" | "cell"} step
 */
export function partOf(layout, { place, row, column }, step) {
  const { width, height } = pictureSize(layout);
  const { x, y } = tilePlace(layout, place);
  const isCell = step === "cell";
  return {
    x: (x + (isCell ? column : 0)) / width,
    y: (y + (isCell ? row : 0)) / height,
    width: (isCell ? 1 : layout.columns) / width,
    height: (isCell ? 1 : layout.rows) / height,
  };
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
