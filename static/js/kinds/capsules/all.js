/**
 * All capsules of a layer without a grid, each a row of its numbers.
 * @import { Layer } from "../types.js"
 * @import { CapsulesState, CapsulesStore } from "./types.js"
 */
import { signed } from "../../lib/format.js";
import { findElement, setText } from "../../ui/dom.js";
import { valueTable } from "../../ui/tables.js";
import { vectorRows } from "../vectors.js";
import { chosen } from "./index.js";

/** @param {HTMLElement} view @param {CapsulesStore} store @param {Layer} layer */
export function mountAll(view, store, layer) {
  const root = findElement(view, "[data-all]");
  const title = findElement(root, "[data-all-title]");
  const readout = findElement(root, "[data-readout]");
  const rows = vectorRows(root, {
    chosen: () => ({
      row: store.shown()?.capsule ?? 0,
      column: store.shown()?.dimension ?? 0,
    }),
    choose: ({ row, column }) =>
      store.set({ ...chosen(layer, row), dimension: column }),
    tell({ row, column }) {
      const state = store.shown();
      if (state === null) return;
      const { poses } = state.trace.tensors;
      const value = poses.data[row * poses.shape[1] + column];
      setText(readout, `capsule ${row}, number ${column + 1}: ${signed(value)}`);
    },
  });

  store.watch(["model"], ({ model }) => {
    const [count, numbers] = layer.shapeOf(model, "poses");
    setText(
      findElement(view, "[data-shape]"),
      `${count} capsules of ${numbers} numbers`,
    );
    setText(title, `All ${count} capsules`);
    rows.name(
      Array.from({ length: count }, (_, i) => String(i)),
      numbers,
    );
  });
  store.watch(["trace", "model"], ({ trace: { tensors } }) =>
    rows.show(tensors.poses.data, tensors.activation.data),
  );
  store.watch(["trace", "model", "capsule", "dimension"], rows.mark);
}

/** The length and the numbers of each. @param {CapsulesState["trace"]} trace */
export function numbersTable({ tensors: { poses, activation } }) {
  const [rows, size] = poses.shape;
  const values = Array.from(activation.data, (length, i) => [
    length,
    ...poses.data.subarray(i * size, (i + 1) * size),
  ]);
  const numbers = Array.from({ length: size }, (_, i) => String(i + 1));
  return valueTable(values.flat(), {
    ...{ rows, columns: size + 1, corner: "capsule" },
    columnNames: ["length", ...numbers],
  });
}
