/**
 * Frames over a picture of tiles: an SVG whose viewBox counts the picture's cells.
 * @import { Layout } from "../geometry/tiles.js"
 */
import { pictureSize, tilePlace } from "../geometry/tiles.js";
import { setAll } from "./svg.js";

/**
 * @param {SVGSVGElement} svg
 * @param {Layout} layout
 */
export function fitToPicture(svg, layout) {
  const { width, height } = pictureSize(layout);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
}

/**
 * Frame a whole tile, somewhat outside it.
 * @param {SVGRectElement} frame
 * @param {Layout} layout
 * @param {number | null} place null to hide the frame
 * @param {number} [margin] in cells; the middle of the gap when absent
 */
export function frameTile(frame, layout, place, margin = layout.gap / 2) {
  frame.style.visibility = place === null ? "hidden" : "visible";
  if (place === null) return;
  const { x, y } = tilePlace(layout, place);
  const width = layout.columns + 2 * margin;
  const height = layout.rows + 2 * margin;
  setAll(frame, { x: x - margin, y: y - margin, width, height });
}

/**
 * Frame one cell of a tile.
 * @param {SVGRectElement} frame
 * @param {Layout} layout
 * @param {{ place: number, row: number, column: number } | null} cell null to hide
 */
export function frameCell(frame, layout, cell) {
  frame.style.visibility = cell === null ? "hidden" : "visible";
  if (cell === null) return;
  const { x, y } = tilePlace(layout, cell.place);
  setAll(frame, { x: x + cell.column, y: y + cell.row, width: 1, height: 1 });
}
