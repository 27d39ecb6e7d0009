/**
 * A map as a picture to point at.
 * @import { Scale } from "../lib/color.js"
 */
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findCanvas, setAll } from "./dom.js";
import { fitToPicture, pickFromGrid } from "./grid-picker.js";

/** @typedef {{ row: number, column: number }} Place */

/**
 * One map, to point at cell by cell or block by block: marks over it, the chosen block
 * framed, and the value beside the pointer.
 * @param {HTMLElement} root an `.overlaid` with a canvas and an SVG `.frames` that holds
 *   `.chosen` and `.pointed`, and `.lines`, `.dots` and `.rings` where there are marks
 * @param {object} options
 * @param {number} [options.block] cells in a row of what is chosen and framed
 * @param {() => Place} options.chosen a cell, from which the arrow keys go on
 * @param {(place: Place) => void} options.choose a cell
 * @param {(place: Place | null) => void} options.hover
 * @param {(place: Place) => string} options.note what to write beside the pointer
 */
export function mapPicture(root, { block = 1, chosen, choose, hover, note }) {
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg.frames", SVGSVGElement);
  const chosenFrame = find(overlay, ".chosen", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: 0 };

  /** @param {SVGRectElement} frame @param {Place | null} cell */
  function frame(frame, cell) {
    frame.style.visibility = cell === null ? "hidden" : "";
    if (cell === null) return;
    const from = (/** @type {number} */ at) => at - (at % block);
    const x = from(cell.column);
    const y = from(cell.row);
    setAll(frame, { x, y, width: block, height: block });
  }

  pickFromGrid(canvas, {
    layout: () => layout,
    step: "cell",
    chosen: () => ({ place: 0, ...chosen() }),
    choose: ({ row, column }) => choose({ row, column }),
    hover: (cell) => hover(cell && { row: cell.row, column: cell.column }),
    words: note,
  });

  return {
    /**
     * @param {ArrayLike<number>} values row by row
     * @param {number} columns cells in a row
     * @param {Scale} scale
     */
    show(values, columns, scale) {
      layout = { ...layout, rows: values.length / columns, columns };
      paintHeatmap(canvas, values, { ...layout, scale });
      fitToPicture(overlay, layout);
    },

    /** @param {Place} cell */
    choose: (cell) => frame(chosenFrame, cell),

    /** @param {Place | null} cell */
    point: (cell) => frame(pointed, cell),

    /** @param {"lines" | "dots" | "rings"} name @param {string} path in cells */
    mark(name, path) {
      find(overlay, `.${name}`, SVGPathElement).setAttribute("d", path);
    },
  };
}
