/**
 * Vectors as rows of colours, each with its name and its length: the capsules of a layer that
 * has so few of them that all can be read.
 * @import { Cell, Grid } from "../draw/grid.js"
 * @import { Content } from "../ui/h.js"
 */
import { grid } from "../draw/grid.js";
import { legend } from "../draw/tiles.js";
import { reach } from "../lib/arithmetic.js";
import { color, diverging, readableOn } from "../lib/color.js";
import { presence } from "../lib/decimals.js";
import { fixed, numbered } from "../lib/format.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { h } from "../ui/h.js";

/**
 * @typedef {object} Vectors
 * @property {string} label what they are
 * @property {string} of what a row is
 * @property {readonly string[]} names of the rows
 * @property {ArrayLike<number>} values row by row
 * @property {ArrayLike<number>} lengths of the rows
 */

/** @param {Vectors & Pick<Grid, "chosen" | "choose" | "words">} options */
export function vectorRows({ label, of, names, values, lengths, ...answers }) {
  const count = values.length / names.length;
  const columns = numbered(count, 1);
  const scale = diverging(reach(values) || 1);
  const numbers = Array.from(values, (value) => {
    const look = { "--written": readableOn(color(scale, value)) };
    return h("span", look, fixed(value, 2));
  });
  const mark = {
    scale,
    look: "values-picture",
    front: side("values-numbers", numbers),
    paint: (/** @type {HTMLCanvasElement} */ canvas) =>
      paintHeatmap(canvas, values, { rows: names.length, columns: count, scale }),
    over: (
      /** @type {unknown} */ _,
      /** @type {Cell} */ at,
      /** @type {?Cell} */ pointed,
    ) => framesOf(count, at, pointed ?? at),
  };
  const rows = names.map((name, i) => {
    return h("span", { class: i === answers.chosen.row && "is-focused" }, name);
  });
  const around = (/** @type {Content} */ picture) =>
    h(
      "div",
      { class: "values-frame", "--rows": names.length, "--columns": count },
      h("span", { class: "values-corner fine", "aria-hidden": "true" }, of),
      side("values-columns", spans(columns)),
      h("span", { class: "values-length fine", "aria-hidden": "true" }, "length"),
      side("values-rows", rows),
      picture,
      side(
        "values-lengths",
        Array.from(lengths, (length) =>
          h("span", { "--length": length }, presence(length)),
        ),
      ),
    );
  const axes = { rows: { of, names }, columns: { of: "number", names: columns } };
  return [
    grid({ label, ...axes, mark, around, ...answers }),
    legend(scale, "value in the capsule"),
  ];
}

/** @param {string} look @param {Content} content */
const side = (look, content) =>
  h("div", { class: look, "aria-hidden": "true" }, content);

/** @param {readonly string[]} texts */
const spans = (texts) => texts.map((text) => h("span", {}, text));

/** The chosen row, and one cell. @param {number} columns @param {Cell} chosen @param {Cell} cell */
function framesOf(columns, { row }, cell) {
  const whole = { x: 0, y: row, width: columns, height: 1, class: "chosen" };
  const frame = { x: cell.column, y: cell.row, width: 1, height: 1, class: "pointed" };
  // Twice, a thin dark frame on a broad light one, to stand out from every colour.
  return [h("rect", whole), h("rect", frame), h("rect", frame)];
}
