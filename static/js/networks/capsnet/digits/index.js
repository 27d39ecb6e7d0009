/**
 * The digit capsules: how long each is, and the numbers that it is made of.
 * @import { Actions, CapsModel, DigitsStore, DigitsTrace } from "../types.js"
 */

import { find, findElement } from "../../../ui/dom.js";
import { valueTable } from "../../../ui/tables.js";
import { lengthsOverIterations } from "../routing/sums.js";
import { mountLengths } from "./lengths.js";
import { mountValues } from "./values.js";

/**
 * @param {HTMLElement} root
 * @param {DigitsStore} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  const shape = findElement(root, "[data-shape]");
  store.watch(["model"], ({ model }) => {
    shape.textContent = `${model.classes}×${model.pose_dim} values, each capsule shorter than 1`;
  });
  mountLengths(findElement(root, ".score-panel"), store, actions);
  mountValues(findElement(root, ".digit-values"), store, actions);

  const folder = find(root, "details.numbers", HTMLDetailsElement);
  const table = findElement(root, "[data-table]");
  function fill() {
    const state = store.shown();
    if (folder.open && state !== null)
      table.replaceChildren(...tablesOf(state.trace, state.model));
  }
  store.watch(["trace", "model"], fill);
  folder.addEventListener("toggle", fill);
}

/**
 * @param {DigitsTrace} trace
 * @param {CapsModel} model
 * @returns {HTMLTableElement[]} lengths and values, and lengths over the iterations
 */
function tablesOf({ tensors }, { class_names: names, classes, pose_dim: dim }) {
  const lengths = tensors["digits.lengths"].data;
  const values = tensors["digits.capsules"].data;
  const rows = Array.from({ length: classes }, (_, digit) => [
    lengths[digit],
    ...values.subarray(digit * dim, (digit + 1) * dim),
  ]);
  const numbers = Array.from({ length: dim }, (_, i) => String(i + 1));
  const all = valueTable(rows.flat(), {
    rows: classes,
    columns: dim + 1,
    rowNames: names,
    columnNames: ["length", ...numbers],
    corner: "digit",
  });
  const capsules = tensors["routing.capsules"];
  const [iterations] = capsules.shape;
  const history = valueTable(lengthsOverIterations(capsules).flat(), {
    rows: classes,
    columns: iterations,
    rowNames: names,
    columnNames: Array.from({ length: iterations }, (_, i) => `iteration ${i + 1}`),
    corner: "digit",
  });
  history.createCaption().textContent = "Lengths after each routing iteration";
  return [all, history];
}
