/**
 * Every class capsule as a row of colours: the vectors whose lengths are the scores.
 * @import { Actions } from "../../core/actions.js"
 * @import { ClassesStore, ClassesTrace } from "./types.js"
 */
import { focusedClass } from "../../core/state.js";
import { signed } from "../../lib/format.js";
import { find, findElement } from "../../ui/dom.js";
import { showSeenFirst } from "../../ui/seen.js";
import { meaningInShort, meaningOf } from "../decoder/meanings.js";
import { vectorRows } from "../vectors.js";

/** @param {HTMLElement} view @param {ClassesStore} store @param {Actions} actions */
export function mountValues(view, store, actions) {
  const root = findElement(view, ".digit-values");
  const title = findElement(root, "[data-values-title]");
  const readout = findElement(root, "[data-readout]");
  const open = find(root, "[data-to-reconstruction]", HTMLButtonElement);
  open.addEventListener("click", () =>
    actions.openView(store.get()?.layer.words.decoder),
  );
  let column = 0; // the dimension last chosen

  const rows = vectorRows(root, {
    chosen() {
      const state = store.shown();
      return { row: state === null ? 0 : focusedClass(state), column };
    },
    choose(cell) {
      column = cell.column;
      actions.focusClass(cell.row);
      rows.mark();
    },
    /** The value under the pointer or in focus, and what it means. */
    tell(at) {
      const state = store.shown();
      if (state === null) return;
      const { model, trace } = state;
      const { class_names: names } = model;
      const { shape, data } = trace.tensors.poses;
      const value = data[at.row * shape[1] + at.column];
      const meaning = meaningOf(model, at.row, at.column);
      const means = meaning === null ? "" : ` (${meaningInShort(meaning)})`;
      readout.textContent = `${names[at.row]}, dimension ${at.column + 1}: ${signed(value)}${means}`;
      open.textContent = `Move the numbers of ${names[focusedClass(state)]} in Reconstruction`;
    },
  });

  store.watch(["model", "layer"], ({ model, layer }) => {
    const [, columns] = layer.shapeOf(model, "poses");
    title.textContent = `Values: the ${columns} numbers of each capsule, in dimensions 1 to ${columns}`;
    rows.name(model.class_names, columns);
    column = 0;
  });
  const show = showSeenFirst(root, (/** @type {ClassesTrace} */ { tensors }) =>
    rows.show(tensors.poses.data, tensors.scores.data),
  );
  store.watch(["trace"], ({ trace }) => show(trace));
  store.watch(["classIndex", "trace", "model"], rows.mark);
}
