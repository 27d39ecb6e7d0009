/**
 * Every class capsule as a row of colours: the vectors whose lengths are the scores.
 * @import { Actions } from "../../core/actions.js"
 * @import { ClassesStore, ClassesTrace } from "./types.js"
 */
import { focusedClass } from "../../core/state.js";
import { reach } from "../../lib/arithmetic.js";
import { color, diverging, readableOn } from "../../lib/color.js";
import { fixed, signed } from "../../lib/format.js";
import { paintHeatmap } from "../../paint/heatmap.js";
import { find, findCanvas, findElement, make, setText, svg } from "../../ui/dom.js";
import { pickFromGrid } from "../../ui/grid-picker.js";
import { showLegend } from "../../ui/pictures.js";
import { showSeenFirst } from "../../ui/seen.js";
import { meaningInShort, meaningOf } from "../decoder/meanings.js";

/** @typedef {{ row: number, column: number }} Cell row: class, column: dimension */

/** @param {HTMLElement} view @param {ClassesStore} store @param {Actions} actions */
export function mountValues(view, store, actions) {
  const root = findElement(view, ".digit-values");
  mountNames(root, store);
  mountPicture(root, store);
  mountMarks(root, store, actions);
}

/**
 * What stands around the picture.
 * @param {HTMLElement} root @param {ClassesStore} store
 */
function mountNames(root, store) {
  const title = findElement(root, "[data-values-title]");
  const rowNames = findElement(root, "[data-row-names]");
  const columnNames = findElement(root, "[data-columns]");
  store.watch(["model", "layer"], ({ model, layer }) => {
    const [rows, columns] = layer.shapeOf(model, "poses");
    const dimensions = Array.from({ length: columns }, (_, i) => String(i + 1));
    title.textContent = `Values: the ${columns} numbers of each capsule, in dimensions 1 to ${columns}`;
    root.style.setProperty("--columns", String(columns));
    root.style.setProperty("--rows", String(rows));
    rowNames.replaceChildren(...model.class_names.map(label));
    columnNames.replaceChildren(...dimensions.map(label));
  });
  store.watch(["classIndex", "trace", "model"], (state) => {
    const focused = focusedClass(state);
    [...rowNames.children].forEach((name, classIndex) => {
      name.classList.toggle("is-focused", classIndex === focused);
    });
  });
}

/**
 * Colours, numbers and lengths.
 * @param {HTMLElement} root @param {ClassesStore} store
 */
function mountPicture(root, store) {
  const canvas = findCanvas(root, "[data-picture]");
  const numbers = findElement(root, "[data-numbers]");
  const rowLengths = findElement(root, "[data-row-lengths]");
  const legend = findElement(root, "[data-legend]");
  const show = showSeenFirst(root, (/** @type {ClassesTrace} */ { tensors }) => {
    const { shape, data: values } = tensors.poses;
    const [rows, columns] = shape;
    const scale = diverging(reach(values));
    paintHeatmap(canvas, values, { rows, columns, scale });
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
      Array.from(tensors.scores.data, (length) => fixed(length, 3)),
    );
  });
  store.watch(["trace"], ({ trace }) => show(trace));
}

/**
 * The value under the pointer or in focus, and what it means.
 * @param {HTMLElement} root @param {ClassesStore} store @param {Actions} actions
 */
function mountMarks(root, store, actions) {
  const marks = find(root, "[data-marks]", SVGSVGElement);
  const readout = findElement(root, "[data-readout]");
  const open = find(root, "[data-to-reconstruction]", HTMLButtonElement);
  open.addEventListener("click", () =>
    actions.openView(store.get()?.layer.words.decoder),
  );
  let column = 0; // the dimension last chosen
  /** @type {Cell | null} */
  let pointed = null;
  const chosen = () => {
    const state = store.shown();
    return { row: state === null ? 0 : focusedClass(state), column };
  };

  pickFromGrid(findCanvas(root, "[data-picture]"), {
    layout: () => {
      const state = store.shown();
      if (state === null) return null;
      const [rows, columns] = state.trace.tensors.poses.shape;
      return { count: 1, across: 1, rows, columns, gap: 0 };
    },
    step: "cell",
    chosen: () => ({ place: 0, ...chosen() }),
    choose(cell) {
      column = cell.column;
      actions.focusClass(cell.row);
      mark();
    },
    hover(cell) {
      pointed = cell;
      mark();
    },
  });
  store.watch(["model"], () => {
    column = 0;
  });
  store.watch(["classIndex", "trace", "model"], mark);

  function mark() {
    const state = store.shown();
    if (state === null) return;
    const { model, trace } = state;
    const { class_names: names } = model;
    const { shape, data } = trace.tensors.poses;
    const [rows, columns] = shape;
    const { row: y } = chosen();
    marks.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    const whole = { x: 0, y, width: columns, height: 1, class: "chosen" };
    const at = pointed ?? chosen();
    const one = { x: at.column, y: at.row, width: 1, height: 1, class: "pointed" };
    // Twice, a thin dark frame on a broad light one, to stand out from every colour.
    marks.replaceChildren(svg("rect", whole), svg("rect", one), svg("rect", one));
    const value = data[at.row * columns + at.column];
    const meaning = meaningOf(model, at.row, at.column);
    const means = meaning === null ? "" : ` (${meaningInShort(meaning)})`;
    readout.textContent = `digit ${names[at.row]}, dimension ${at.column + 1}: ${signed(value)}${means}`;
    open.textContent = `Move the numbers of ${names[y]} in Reconstruction`;
  }
}

/** @param {HTMLElement} list @param {readonly string[]} texts */
function fill(list, texts) {
  if (list.childElementCount !== texts.length)
    list.replaceChildren(...texts.map(label));
  texts.forEach((text, i) => {
    setText(list.children[i], text);
  });
}

/** @param {string} text */
const label = (text) => make("span", "", text);
