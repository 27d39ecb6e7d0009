/**
 * Tells the stylesheets how long the classes' names are, so that rows, labels and headings
 * make room for them.
 * @import { AppState } from "../types.js"
 * @import { Store } from "../core/store.js"
 */
import { areLong, longestName } from "../lib/format.js";

/**
 * @param {HTMLElement} page
 * @param {Store<AppState>} store
 */
export function mountNames(page, store) {
  store.watch(["model"], ({ model }) => {
    const names = model?.class_names ?? [];
    page.style.setProperty("--longest-name", String(longestName(names)));
    page.classList.toggle("has-long-names", areLong(names));
  });
}
