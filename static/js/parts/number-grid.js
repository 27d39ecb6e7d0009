/**
 * A small picture of values with the numbers written into its cells.
 * @import { Scale } from "../lib/color.js"
 */
import { color, readableOn } from "../lib/color.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findCanvas } from "./find.js";
import { fitToPicture, frameCell } from "./marks.js";
import { svg } from "./svg.js";

/**
 * @param {HTMLElement} root an `.overlaid` with a canvas, an SVG `.written` for the numbers
 *   and an SVG `.frames` with `.pointed` and, where a cell can be chosen, `.chosen`
 */
export function numberGrid(root) {
  const canvas = findCanvas(root, "canvas");
  const numbers = find(root, "svg.written", SVGSVGElement);
  const frames = find(root, "svg.frames", SVGSVGElement);
  const pointed = find(frames, ".pointed", SVGRectElement);
  const chosen = frames.querySelector(".chosen");
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: 0 };
  let isShown = false;

  return {
    canvas,
    /** Null before anything has been shown. */
    layout: () => (isShown ? layout : null),

    /**
     * @param {ArrayLike<number>} values row by row
     * @param {{ rows: number, columns: number, scale: Scale, format: (value: number) => string }} options
     */
    show(values, { rows, columns, scale, format }) {
      layout = { ...layout, rows, columns };
      isShown = true;
      paintHeatmap(canvas, values, { rows, columns, scale });
      fitToPicture(numbers, layout);
      fitToPicture(frames, layout);
      if (numbers.childElementCount !== values.length) {
        numbers.replaceChildren(...cellTexts(values.length, columns));
      }
      for (let i = 0; i < values.length; i++) {
        const text = numbers.children[i];
        text.textContent = format(values[i]);
        text.setAttribute("fill", readableOn(color(scale, values[i])));
        text.setAttribute("fill-opacity", values[i] === 0 ? "0.45" : "1");
      }
    },

    /** @param {{ row: number, column: number } | null} cell */
    point(cell) {
      frameCell(pointed, layout, cell && { place: 0, ...cell });
    },

    /** @param {{ row: number, column: number }} cell */
    choose(cell) {
      if (chosen instanceof SVGRectElement)
        frameCell(chosen, layout, { place: 0, ...cell });
    },
  };
}

/**
 * @param {number} count
 * @param {number} columns
 */
function cellTexts(count, columns) {
  return Array.from({ length: count }, (_, i) =>
    svg("text", { x: (i % columns) + 0.5, y: Math.floor(i / columns) + 0.5 }),
  );
}
