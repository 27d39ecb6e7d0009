/**
 * Scores and poses as tables, and the scores over the iterations of routing.
 * @import { ClassesState, ClassesStore } from "./types.js"
 */
import { find, findElement } from "../../ui/dom.js";
import { valueTable } from "../../ui/tables.js";
import { entryPlace } from "../matrices.js";
import { historyOf } from "./scores.js";

/** @param {HTMLElement} root @param {ClassesStore} store */
export function mountTables(root, store) {
  const folder = find(root, "details.numbers", HTMLDetailsElement);
  const table = findElement(folder, "[data-table]");
  function fill() {
    const state = store.shown();
    if (folder.open && state !== null) table.replaceChildren(...tablesOf(state));
  }
  store.watch(["trace", "model"], fill);
  folder.addEventListener("toggle", fill);
}

/**
 * @param {Pick<ClassesState, "trace" | "model">} state
 * @returns {HTMLTableElement[]}
 */
function tablesOf({ trace: { tensors }, model: { class_names: rowNames } }) {
  const { shape, data: poses } = tensors.poses;
  const [rows, ...numbers] = shape;
  const history = tensors.history ? historyOf(tensors.history) : [[]];
  /**
   * @param {ArrayLike<number>} values
   * @param {{ columnNames: string[], corner: string, caption?: string }} options
   */
  function table(values, { columnNames, corner, caption }) {
    const columns = columnNames.length;
    const made = valueTable(values, { rows, columns, rowNames, columnNames, corner });
    if (caption) made.createCaption().textContent = caption;
    return made;
  }
  const columnNames = history[0].map((_, step) => `iteration ${step + 1}`);
  const size = poses.length / rows;
  const all = Array.from({ length: size }, (_, i) => i);
  if (numbers.length === 1) {
    const values = Array.from(tensors.scores.data, (length, row) => [
      length,
      ...poses.subarray(row * size, (row + 1) * size),
    ]);
    const names = ["length", ...all.map((i) => String(i + 1))];
    const caption = "Lengths after each routing iteration";
    const found = table(values.flat(), { columnNames: names, corner: "class" });
    if (tensors.history === undefined) return [found];
    return [found, table(history.flat(), { columnNames, corner: "class", caption })];
  }
  const entries = all
    .map(entryPlace)
    .map(({ row, column }) => `${row + 1},${column + 1}`);
  return [
    table(history.flat(), {
      columnNames,
      corner: "class",
      caption: "Activations after each iteration",
    }),
    table(poses, {
      columnNames: entries,
      corner: "class",
      caption: "Poses, by row and column of the matrix",
    }),
  ];
}
