/**
 * Values as the colours of a grid's cells; the chosen row and column are framed.
 * @import { Scale } from "../lib/color.js"
 * @import { Cell, Mark } from "./grid.js"
 */
import { color, readableOn } from "../lib/color.js";
import { exactly } from "../lib/decimals.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { make } from "../ui/dom.js";
import { h } from "../ui/h.js";
import { showLegend } from "../ui/pictures.js";

/**
 * @param {object} values
 * @param {string} values.name of one, such as "share"
 * @param {ArrayLike<number>} values.data row by row
 * @param {Scale} values.scale
 * @param {readonly number[]} [values.edges] columns before which a line is drawn
 * @returns {Mark}
 */
export const tiles = ({ name, data, scale, edges = [] }) => ({
  scale,
  numbers: { name, values: data },
  read: (at) => `${name} ${exactly(data[at])}`,
  paint: (canvas, size) => paintHeatmap(canvas, data, { ...size, scale }),
  over: ({ rows, columns }, { row, column }) => [
    edges.map((x) => h("line", { x1: x, x2: x, y1: 0, y2: rows, class: "type-edge" })),
    h("rect", { x: 0, y: row, width: columns, height: 1, class: "chosen" }),
    h("rect", { x: column, y: 0, width: 1, height: rows, class: "chosen" }),
  ],
});

/**
 * The same with every value written in its cell.
 * @param {object} values
 * @param {string} values.name @param {ArrayLike<number>} values.data @param {Scale} values.scale
 * @param {(value: number) => string} values.format
 * @param {(Cell & { rows?: number, columns?: number }) | null} [values.framed] the chosen cell
 *   when absent
 * @returns {Mark}
 */
export const writtenTiles = ({ name, data, scale, format, framed }) => ({
  ...tiles({ name, data, scale }),
  scale: undefined, // needs no legend: the values are there
  look: "number-grid",
  over: ({ columns }, chosen, pointed) => [
    frame("chosen", framed === undefined ? chosen : framed),
    frame("pointed", pointed),
    Array.from(data, (value, i) => {
      const place = { x: (i % columns) + 0.5, y: Math.floor(i / columns) + 0.5 };
      const fill = readableOn(color(scale, value));
      const look = { fill, "fill-opacity": value === 0 ? 0.45 : 1 };
      return h("text", { ...place, ...look }, format(value));
    }),
  ],
});

/** @param {string} look @param {(Cell & { rows?: number, columns?: number }) | null} cell */
const frame = (look, cell) =>
  h("rect", {
    class: look,
    x: cell?.column,
    y: cell?.row,
    width: cell && (cell.columns ?? 1),
    height: cell?.rows ?? 1,
  });

/** @param {Scale} scale @param {string} unit @param {number} [decimals] of its ends */
export const legend = (scale, unit, decimals) =>
  h(scaleLegend, { scale, unit, decimals });

/** @type {import("../ui/h.js").Part} */
function scaleLegend() {
  const element = make("div");
  return { element, show: ({ scale, ...of }) => showLegend(element, scale, of) };
}
