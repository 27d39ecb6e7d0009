/**
 * Every digit capsule as a row of colours: the vectors whose lengths are the answer.
 * @import { Actions, CapsModel, DigitsStore, DigitsTrace } from "../types.js"
 */

import { focusedDigit } from "../../../core/state.js";
import { meaningInShort, meaningOf } from "../../../kinds/decoder/meanings.js";
import { reach } from "../../../lib/arithmetic.js";
import { color, diverging, readableOn } from "../../../lib/color.js";
import { fixed, signed } from "../../../lib/format.js";
import { paintHeatmap } from "../../../paint/heatmap.js";
import { find, findCanvas, findElement, setText, svg } from "../../../ui/dom.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { showLegend } from "../../../ui/pictures.js";
import { showSeenFirst } from "../../../ui/seen.js";

/** @typedef {{ row: number, column: number }} Cell row: digit, column: dimension */

/**
 * @param {HTMLElement} root
 * @param {DigitsStore} store
 * @param {Actions} actions
 */
export function mountValues(root, store, actions) {
  const canvas = findCanvas(root, "[data-picture]");
  const marks = find(root, "[data-marks]", SVGSVGElement);
  const numbers = findElement(root, "[data-numbers]");
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const rowNames = findElement(root, "[data-row-names]");
  const rowLengths = findElement(root, "[data-row-lengths]");
  const columnNames = findElement(root, "[data-columns]");
  const open = find(root, "[data-to-reconstruction]", HTMLButtonElement);
  open.addEventListener("click", () => actions.openView("reconstruction"));
  let column = 0; // the dimension last chosen
  /** @type {Cell | null} */
  let pointed = null;

  const chosen = () => {
    const state = store.shown();
    return { row: state === null ? 0 : focusedDigit(state), column };
  };
  pickFromGrid(canvas, {
    layout: () => {
      const state = store.shown();
      if (state === null) return null;
      const { classes: rows, pose_dim: columns } = state.model;
      return { count: 1, across: 1, rows, columns, gap: 0 };
    },
    step: "cell",
    chosen: () => ({ place: 0, ...chosen() }),
    choose(cell) {
      column = cell.column;
      actions.focusDigit(cell.row);
      mark();
    },
    hover(cell) {
      pointed = cell;
      mark();
    },
  });

  store.watch(["model"], ({ model }) => {
    column = 0;
    const dimensions = Array.from({ length: model.pose_dim }, (_, i) => String(i + 1));
    findElement(root, "[data-values-title]").textContent =
      `Values: the ${model.pose_dim} numbers of each capsule, in dimensions 1 to ${model.pose_dim}`;
    root.style.setProperty("--columns", String(model.pose_dim));
    root.style.setProperty("--rows", String(model.classes));
    rowNames.replaceChildren(...model.class_names.map(label));
    rowLengths.replaceChildren(...model.class_names.map(() => label("")));
    columnNames.replaceChildren(...dimensions.map(label));
  });
  const show = showSeenFirst(root, draw);
  store.watch(["trace", "model"], ({ trace, model }) => show(trace, model));
  store.watch(["digit", "trace", "model"], mark);

  /**
   * @param {DigitsTrace} trace
   * @param {CapsModel} model
   */
  function draw({ tensors }, { classes: rows, pose_dim: columns }) {
    const values = tensors["digits.capsules"].data;
    const lengths = tensors["digits.lengths"].data;
    const scale = diverging(reach(values));
    paintHeatmap(canvas, values, { rows, columns, scale });
    showLegend(legend, scale, { unit: "value in the capsule" });
    if (numbers.childElementCount !== values.length)
      numbers.replaceChildren(...Array.from(values, () => label("")));
    values.forEach((value, i) => {
      const number = /** @type {HTMLElement} */ (numbers.children[i]);
      setText(number, fixed(value, 2));
      number.style.color = readableOn(color(scale, value));
    });
    [...rowLengths.children].forEach((text, digit) => {
      setText(text, fixed(lengths[digit], 3));
    });
  }

  function mark() {
    const state = store.shown();
    if (state === null) return;
    const { model, trace } = state;
    const { classes: rows, pose_dim: columns, class_names: names } = model;
    const focused = chosen().row;
    [...rowNames.children].forEach((name, digit) => {
      name.classList.toggle("is-focused", digit === focused);
    });
    marks.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    const whole = { x: 0, y: focused, width: columns, height: 1, class: "chosen" };
    const at = pointed ?? chosen();
    const one = { x: at.column, y: at.row, width: 1, height: 1, class: "pointed" };
    // Twice, a thin dark frame on a broad light one, to stand out from every colour.
    marks.replaceChildren(svg("rect", whole), svg("rect", one), svg("rect", one));
    const value = trace.tensors["digits.capsules"].data[at.row * columns + at.column];
    const meaning = meaningOf(model, at.row, at.column);
    const means = meaning === null ? "" : ` (${meaningInShort(meaning)})`;
    readout.textContent = `digit ${names[at.row]}, dimension ${at.column + 1}: ${signed(value)}${means}`;
    open.textContent = `Move the numbers of ${names[focused]} in Reconstruction`;
  }
}

/** @param {string} text */
function label(text) {
  const span = document.createElement("span");
  span.textContent = text;
  return span;
}
