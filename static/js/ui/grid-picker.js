/**
 * Pointing at a picture of tiles, and walking on it: the pointer hovers and chooses,
 * arrow keys move the choice from cell to cell. The picture's readout is repeated at
 * the pointer, and at the cell that the keys have come to. Frames over the picture show
 * what is chosen.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { Field } from "../types.js"
 */

import { pictureSize, tileAt, tilePlace } from "../geometry/tiles.js";
import { clamp } from "../lib/arithmetic.js";
import { arrowOf } from "./controls.js";
import { setAll } from "./dom.js";
import { placeIn, valueTip } from "./value-tip.js";

/**
 * What is under the pointer: a cell of a place. Places count as laid out, so they are
 * tiles only where tiles stand in their own order.
 * @typedef {{ place: number, row: number, column: number }} Cell
 */

/**
 * Make a picture of tiles something to point at and to walk on.
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
 * @param {Layout} layout @param {Cell} cell @param {"place" | "cell"} step
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
  const cell = tileAt(layout, x, y);
  return cell && { place: cell.tile, row: cell.row, column: cell.column };
}

/**
 * One step from a cell; at the edges it stays.
 * @param {Cell} from @param {readonly [number, number]} direction
 * @param {Layout} layout @param {"place" | "cell"} step
 * @returns {Cell}
 */
export function moved(from, [down, right], { count, across, rows, columns }, step) {
  if (step === "cell") {
    return {
      place: from.place,
      row: clamp(from.row + down, 0, rows - 1),
      column: clamp(from.column + right, 0, columns - 1),
    };
  }
  const tile = from.place + down * across + right;
  const isWrapping =
    right !== 0 && Math.floor(tile / across) !== Math.floor(from.place / across);
  return tile < 0 || tile >= count || isWrapping ? from : { ...from, place: tile };
}

/**
 * Let the viewBox of an SVG over a picture of tiles count the picture's cells.
 * @param {SVGSVGElement} svg @param {Layout} layout
 */
export function fitToPicture(svg, layout) {
  const { width, height } = pictureSize(layout);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
}

/**
 * Frame a whole tile, somewhat outside it.
 * @param {SVGRectElement} frame @param {Layout} layout
 * @param {number | null} place null to hide the frame
 * @param {number} [margin] in cells; the middle of the gap when absent
 */
export function frameTile(frame, layout, place, margin = layout.gap / 2) {
  frame.style.visibility = place === null ? "hidden" : "";
  if (place === null) return;
  const { x, y } = tilePlace(layout, place);
  const width = layout.columns + 2 * margin;
  const height = layout.rows + 2 * margin;
  setAll(frame, { x: x - margin, y: y - margin, width, height });
}

/**
 * Frame one cell of a tile.
 * @param {SVGRectElement} frame @param {Layout} layout
 * @param {{ place: number, row: number, column: number } | null} cell null to hide
 */
export function frameCell(frame, layout, cell) {
  frame.style.visibility = cell === null ? "hidden" : "";
  if (cell === null) return;
  const { x, y } = tilePlace(layout, cell.place);
  setAll(frame, { x: x + cell.column, y: y + cell.row, width: 1, height: 1 });
}

/**
 * Frame what a unit saw, on any picture of the input.
 * @param {SVGRectElement} frame in an SVG whose viewBox counts input pixels
 * @param {Field | null} field
 */
export function showField(frame, field) {
  frame.style.visibility = field === null ? "hidden" : "";
  if (field === null) return;
  const { row, column, size, columns = size } = field;
  setAll(frame, { x: column, y: row, width: columns, height: size });
}
