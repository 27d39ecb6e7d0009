/**
 * The digit capsules: how long each is, and the numbers that it is made of.
 * @import { AppState, Model, Trace } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { lengthsOverIterations } from "../lib/routing.js";
import { find, findElement } from "../parts/find.js";
import { valueTable } from "../parts/value-table.js";
import { mountLengths } from "./digits-lengths.js";
import { mountValues } from "./digits-values.js";

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountDigits(root, store, actions) {
  const shape = findElement(root, "[data-shape]");
  store.watch(["model"], ({ model }) => {
    if (model !== null) {
      shape.textContent = `${model.classes}×${model.pose_dim} values, each capsule at most 1 long`;
    }
  });

  store.watch(["pixels"], ({ pixels }) => {
    root.classList.toggle("is-blank", pixels === null);
  });
  mountLengths(findElement(root, ".digit-lengths"), store, actions);
  mountValues(findElement(root, ".digit-values"), store, actions);

  const folder = find(root, "details.numbers", HTMLDetailsElement);
  const table = findElement(root, "[data-table]");
  store.watch(["trace", "model", "view"], fill);
  folder.addEventListener("toggle", () => fill(store.get()));

  /** @param {Pick<AppState, "trace" | "model" | "view">} state */
  function fill({ trace, model, view }) {
    if (!folder.open || view !== "digits") return;
    table.replaceChildren(
      ...(trace === null || model === null ? [] : tablesOf(trace, model)),
    );
  }
}

/**
 * @param {Trace} trace
 * @param {Model} model
 * @returns {HTMLTableElement[]} lengths and values, and lengths over the iterations
 *   once they are known
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
  if (capsules === undefined) return [all];
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
