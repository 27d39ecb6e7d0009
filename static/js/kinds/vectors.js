/**
 * Vectors as rows of colours, each with its name and its length: the capsules of a layer that
 * has so few of them that all can be read.
 * @import { Tensor } from "../types.js"
 */
import { reach } from "../lib/arithmetic.js";
import { color, diverging, readableOn } from "../lib/color.js";
import { fixed } from "../lib/format.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findCanvas, findElement, make, setText, svg } from "../ui/dom.js";
import { pickFromGrid } from "../ui/grid-picker.js";
import { showLegend } from "../ui/pictures.js";

/** @typedef {{ row: number, column: number }} Cell row: vector, column: which number */

/**
 * @param {HTMLElement} root filled by `kinds/vectors.html`
 * @param {object} hooks
 * @param {() => Cell} hooks.chosen
 * @param {(cell: Cell) => void} hooks.choose
 * @param {(cell: Cell) => void} hooks.tell called with the cell that is marked: the one
 *   pointed at, else the chosen one
 */
export function vectorRows(root, { chosen, choose, tell }) {
  const rowNames = findElement(root, "[data-row-names]");
  const columnNames = findElement(root, "[data-columns]");
  const canvas = findCanvas(root, "[data-picture]");
  const numbers = findElement(root, "[data-numbers]");
  const rowLengths = findElement(root, "[data-row-lengths]");
  const legend = findElement(root, "[data-legend]");
  const marks = find(root, "[data-marks]", SVGSVGElement);
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: 0 };
  let isShown = false;
  /** @type {Cell | null} */
  let pointed = null;

  pickFromGrid(canvas, {
    layout: () => (isShown ? layout : null),
    step: "cell",
    chosen: () => ({ place: 0, ...chosen() }),
    choose: ({ row, column }) => choose({ row, column }),
    hover(cell) {
      pointed = cell;
      mark();
    },
  });

  function mark() {
    const { rows, columns } = layout;
    const { row, column } = pointed ?? chosen();
    marks.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    const y = chosen().row;
    const whole = { x: 0, y, width: columns, height: 1, class: "chosen" };
    const one = { x: column, y: row, width: 1, height: 1, class: "pointed" };
    // Twice, a thin dark frame on a broad light one, to stand out from every colour.
    marks.replaceChildren(svg("rect", whole), svg("rect", one), svg("rect", one));
    [...rowNames.children].forEach((name, i) => {
      name.classList.toggle("is-focused", i === y);
    });
    tell({ row, column });
  }

  return {
    /** @param {readonly string[]} names of the vectors @param {number} columns */
    name(names, columns) {
      layout = { ...layout, rows: names.length, columns };
      root.style.setProperty("--columns", String(columns));
      root.style.setProperty("--rows", String(names.length));
      fill(rowNames, names);
      fill(
        columnNames,
        Array.from({ length: columns }, (_, i) => String(i + 1)),
      );
    },

    /** @param {Tensor["data"]} values row by row @param {Tensor["data"]} lengths */
    show(values, lengths) {
      isShown = true;
      const scale = diverging(reach(values) || 1);
      paintHeatmap(canvas, values, { ...layout, scale });
      showLegend(legend, scale, { unit: "value in the capsule" });
      fill(
        numbers,
        Array.from(values, (value) => fixed(value, 2)),
      );
      values.forEach((value, i) => {
        const number = /** @type {HTMLElement} */ (numbers.children[i]);
        number.style.color = readableOn(color(scale, value));
      });
      fill(
        rowLengths,
        Array.from(lengths, (length) => fixed(length, 3)),
      );
    },

    mark,
  };
}

/** @param {HTMLElement} list @param {readonly string[]} texts */
function fill(list, texts) {
  if (list.childElementCount !== texts.length)
    list.replaceChildren(...texts.map((text) => make("span", "", text)));
  texts.forEach((text, i) => {
    setText(list.children[i], text);
  });
}
