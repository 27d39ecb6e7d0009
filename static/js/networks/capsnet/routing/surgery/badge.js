/**
 * Tells, whatever layer is open, that routing is being operated on.
 * @import { NetworkStore } from "../../../../types.js"
 * @import { Actions, CapsNet } from "../../types.js"
 */

import { find, findElement } from "../../../../ui/dom.js";
import { sidesOf } from "../../places.js";
import { sizesOf } from "../../state.js";
import { isIntact, NO_SURGERY } from "./changes.js";
import { surgeryInWords } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {NetworkStore<CapsNet>} store
 * @param {Actions} actions
 */
export function mountBadge(root, store, actions) {
  const words = findElement(root, "[data-badge-words]");
  const go = find(root, "[data-go]", HTMLButtonElement);
  const reset = find(root, "[data-reset]", HTMLButtonElement);
  store.watch(
    ["surgery", "showsOperated", "view", "model"],
    ({ surgery, showsOperated, view, model }) => {
      root.hidden = isIntact(surgery);
      if (root.hidden) return;
      const sizes = sizesOf(model);
      const what = surgeryInWords(surgery, {
        types: sizes.primary_types,
        cells: sidesOf(sizes).primary ** 2,
      });
      words.textContent = `${what} ${whereInWords(view === "routing", showsOperated)}`;
    },
  );
  go.addEventListener("click", () => {
    actions.openView("routing");
    const panel = document.getElementById("surgery");
    panel?.scrollIntoView();
    panel?.focus({ preventScroll: true });
  });
  reset.addEventListener("click", () => actions.operate(NO_SURGERY));
}

/**
 * @param {boolean} isRouting
 * @param {boolean} showsOperated
 */
function whereInWords(isRouting, showsOperated) {
  if (isRouting && showsOperated) return "The pictures below show the changed run.";
  return "Every view shows the intact run; Routing compares the two.";
}
