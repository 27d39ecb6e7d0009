/** A kernel in colours from its largest weight down to minus that, to point at. */

import { reach } from "../lib/arithmetic.js";
import { diverging } from "../lib/color.js";
import { signed } from "../lib/format.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findCanvas, findElement } from "../ui/dom.js";
import { fitToPicture, frameCell, pickFromGrid } from "../ui/grid-picker.js";
import { showLegend } from "../ui/pictures.js";

/**
 * @param {HTMLElement} root a figure with a canvas, an SVG `.frames` and a legend
 * @param {(cell: { row: number, column: number } | null) => void} onPoint
 */
export function kernelPicture(root, onPoint) {
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg", SVGSVGElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  const legend = findElement(root, "[data-legend]");
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: 0 };
  let last = { row: 0, column: 0 };
  /** @type {ArrayLike<number>} */
  let shown = [];

  /** @param {{ row: number, column: number } | null} cell */
  function point(cell) {
    if (cell !== null) last = { row: cell.row, column: cell.column };
    onPoint(cell);
  }
  pickFromGrid(canvas, {
    layout: () => layout,
    step: "cell",
    chosen: () => ({ place: 0, ...last }),
    choose: point,
    hover: point,
    words: ({ row, column }) =>
      `row ${row}, column ${column}: weight ${signed(shown[row * layout.columns + column])}`,
  });
  canvas.addEventListener("blur", () => onPoint(null));

  return {
    /**
     * @param {ArrayLike<number>} weights (size, size)
     * @param {number} size
     */
    show(weights, size) {
      layout = { ...layout, rows: size, columns: size };
      shown = weights;
      const scale = diverging(reach(weights) || 1);
      paintHeatmap(canvas, weights, { ...layout, scale });
      fitToPicture(overlay, layout);
      frameCell(pointed, layout, null);
      showLegend(legend, scale, { unit: "kernel weight", decimals: 3 });
    },

    /** @param {{ row: number, column: number } | null} cell */
    point: (cell) => frameCell(pointed, layout, cell && { place: 0, ...cell }),
  };
}
