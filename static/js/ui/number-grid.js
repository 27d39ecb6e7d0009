/**
 * A small picture of values with the numbers written into its cells.
 * @import { Scale } from "../lib/color.js"
 */
import { color, readableOn } from "../lib/color.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findCanvas, svg } from "./dom.js";
import { fitToPicture, frameCell } from "./grid-picker.js";

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
  /** @type {Cell[]} */
  let cells = [];

  /** @param {number} rows @param {number} columns */
  function layOut(rows, columns) {
    if (isShown && layout.rows === rows && layout.columns === columns) return;
    layout = { ...layout, rows, columns };
    isShown = true;
    fitToPicture(numbers, layout);
    fitToPicture(frames, layout);
    cells = Array.from({ length: rows * columns }, (_, i) => cellAt(i, columns));
    numbers.replaceChildren(...cells.map(({ element }) => element));
  }

  return {
    canvas,
    /** Null before anything has been shown. */
    layout: () => (isShown ? layout : null),

    /**
     * @param {ArrayLike<number>} values row by row
     * @param {{ rows: number, columns: number, scale: Scale, format: (value: number) => string }} options
     */
    show(values, { rows, columns, scale, format }) {
      layOut(rows, columns);
      paintHeatmap(canvas, values, { rows, columns, scale });
      cells.forEach((cell, i) => {
        write(cell, values[i], readableOn(color(scale, values[i])), format);
      });
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

/** @typedef {{ element: SVGTextElement, value: number, fill: string }} Cell as written */

/** @param {number} i @param {number} columns @returns {Cell} */
function cellAt(i, columns) {
  const place = { x: (i % columns) + 0.5, y: Math.floor(i / columns) + 0.5 };
  return { element: svg("text", place), value: Number.NaN, fill: "" };
}

/**
 * Write what differs from what stands there: a grid may be shown anew in every frame.
 * @param {Cell} cell @param {number} value @param {string} fill
 * @param {(value: number) => string} format one and the same for a grid's whole life
 */
function write(cell, value, fill, format) {
  if (value !== cell.value) {
    cell.element.textContent = format(value);
    cell.element.setAttribute("fill-opacity", value === 0 ? "0.45" : "1");
    cell.value = value;
  }
  if (fill !== cell.fill) {
    cell.element.setAttribute("fill", fill);
    cell.fill = fill;
  }
}
