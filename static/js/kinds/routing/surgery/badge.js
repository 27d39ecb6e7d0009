/**
 * Tells, whatever layer is open, that routing is being operated on.
 * @import { Actions, Layer, LayerStore } from "../../types.js"
 * @import { OperableState } from "../types.js"
 */
import { lead } from "../../../ui/controls.js";
import { find, findElement, setText } from "../../../ui/dom.js";
import { isIntact, NO_SURGERY, surgeryInWords } from "./changes.js";

/**
 * @param {HTMLElement} root @param {LayerStore<OperableState>} store
 * @param {Actions} actions @param {Layer} layer
 */
export function mountBadge(root, store, actions, layer) {
  const words = findElement(root, "[data-badge-words]");
  const go = find(root, "[data-go]", HTMLButtonElement);
  const reset = find(root, "[data-reset]", HTMLButtonElement);
  store.watch(
    ["surgery", "showsOperated", "view", "model"],
    ({ surgery, showsOperated, view, model }) => {
      root.hidden = isIntact(surgery);
      if (root.hidden) return;
      const [types, rows = 1, columns = 1] = layer.shapeOf(model, "lengths");
      const what = surgeryInWords(surgery, { types, cells: rows * columns });
      const where =
        view === layer.id && showsOperated
          ? "The pictures below show the changed run."
          : `Every view shows the intact run; ${layer.title} compares the two.`;
      setText(words, `${what} ${where}`);
    },
  );
  go.addEventListener("click", () => {
    actions.openView(layer.id);
    const panel = document.getElementById(`view-${layer.id}`);
    lead(panel?.querySelector("[data-surgery]") ?? null);
  });
  reset.addEventListener("click", () => store.set({ surgery: NO_SURGERY }));
}
