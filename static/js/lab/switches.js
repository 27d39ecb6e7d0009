/**
 * Which networks take part: a checkbox for each that can read the image on show.
 * @import { AppState, Model } from "../types.js"
 * @import { Actions } from "../core/state.js"
 * @import { Store } from "../core/store.js"
 */
import { comparableModels } from "../core/lab.js";

/**
 * @param {HTMLElement} root filled
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountSwitches(root, store, actions) {
  /** @param {Model} model */
  function makeSwitch({ id, title }) {
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.value = id;
    box.addEventListener("change", () => actions.switchNetwork(id));
    label.append(box, ` ${title}`);
    return label;
  }

  store.watch(["models", "model"], (state) => {
    root.replaceChildren(...comparableModels(state).map(makeSwitch));
  });
  store.watch(["models", "model", "lab"], ({ lab }) => {
    for (const box of root.querySelectorAll("input"))
      box.checked = !lab.off.includes(box.value);
  });
}
