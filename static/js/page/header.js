/**
 * The header's tools: Explore or Lab, which model, light or dark, help.
 * @import { AppState } from "../types.js"
 * @import { Actions } from "../core/state.js"
 * @import { Store } from "../core/store.js"
 */
import { LAB } from "../core/lab.js";
import { listenToChoices, pressChoice, showBelow } from "../ui/controls.js";
import { find, findElement } from "../ui/dom.js";

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountHeader(root, store, actions) {
  const picker = find(root, "[data-models]", HTMLSelectElement);

  store.watch(["models"], ({ models }) => {
    picker.replaceChildren(...models.map(({ id, title }) => new Option(title, id)));
    picker.disabled = models.length === 0;
  });
  store.watch(["model"], ({ model }) => {
    if (model !== null) picker.value = model.id;
  });
  picker.addEventListener("change", async () => {
    const model = store.get().models.find(({ id }) => id === picker.value);
    if (model) await actions.useModel(model);
    picker.value = store.get().model?.id ?? ""; // the model before, where this one failed
  });

  const modes = findElement(root, "[data-modes]");
  listenToChoices(modes, (mode) => {
    actions.openMode(/** @type {AppState["mode"]} */ (mode));
    requestAnimationFrame(showBelow);
  });
  store.watch(["mode"], ({ mode }) => {
    pressChoice(modes, mode);
    document.body.classList.toggle("is-lab", mode === LAB);
  });

  findElement(root, "[data-theme-switch]").addEventListener("click", () => {
    const page = document.documentElement;
    const now = page.dataset.theme ?? (prefersDark() ? "dark" : "light");
    page.dataset.theme = now === "dark" ? "light" : "dark";
    keep(page.dataset.theme);
  });
}

function prefersDark() {
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** @param {string} theme */
function keep(theme) {
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // The browser refuses to keep anything: the choice holds until the page is left.
  }
}
