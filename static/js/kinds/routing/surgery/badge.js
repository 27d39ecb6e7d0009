/**
 * Tells, whatever layer is open, that routing is being operated on.
 * @import { Actions, Layer, LayerStore } from "../../types.js"
 * @import { Model } from "../../../types.js"
 * @import { OperableState } from "../types.js"
 * @import { Told } from "./changes.js"
 */

import { OVERVIEW } from "../../../core/state.js";
import { lead } from "../../../ui/controls.js";
import { find, findElement, setText } from "../../../ui/dom.js";
import { isIntact, NO_SURGERY, surgeryInWords } from "./changes.js";

/**
 * @param {HTMLElement} root @param {LayerStore<OperableState>} store
 * @param {Actions} actions @param {Layer} layer
 * @param {(layer: Layer, model: Model) => Told} [namesOf] what surgery on it is told by
 */
export function mountBadge(root, store, actions, layer, namesOf = namesIn) {
  const words = findElement(root, "[data-badge-words]");
  const go = find(root, "[data-go]", HTMLButtonElement);
  const reset = find(root, "[data-reset]", HTMLButtonElement);
  const isCompared = layer.kind.compares !== undefined;
  store.watch(["surgery", "view", "model"], ({ surgery, view, model }) => {
    root.hidden = isIntact(surgery) || view === OVERVIEW; // which tells it itself
    if (root.hidden) return;
    const what = surgeryInWords(surgery, namesOf(layer, model));
    const where = `Every view shows this run; ${isCompared ? layer.title : "the Overview"} compares it with the intact one.`;
    setText(words, `${what} ${where}`);
  });
  go.addEventListener("click", () => {
    actions.openView(isCompared ? layer.id : OVERVIEW);
    if (!isCompared) return;
    const panel = document.getElementById(`view-${layer.id}`);
    lead(panel?.querySelector("[data-surgery]") ?? null);
  });
  reset.addEventListener("click", () => store.set({ surgery: NO_SURGERY }));
}

/** @param {Layer} layer @param {Model} model @returns {Told} */
function namesIn(layer, model) {
  const shapes = ["lengths", "presence"].map((role) => layer.shapeOf(model, role));
  const [types, rows = 1, columns = 1] = shapes.find(({ length }) => length > 0) ?? [];
  return { types, cells: rows * columns, names: model.class_names };
}
