/**
 * Tells the stylesheets how long the classes' names are: a digit's is one character, a
 * garment's a word or two, and rows, labels and headings make room for it.
 * @import { AppState } from "../types.js"
 * @import { Store } from "../store.js"
 */

/** Up to here names stand wherever a digit does. */
const SHORT = 2;

/**
 * @param {HTMLElement} page
 * @param {Store<AppState>} store
 */
export function mountNames(page, store) {
  store.watch(["model"], ({ model }) => {
    const longest = longestName(model?.class_names ?? []);
    page.style.setProperty("--longest-name", String(longest));
    page.classList.toggle("has-long-names", longest > SHORT);
  });
}

/**
 * @param {readonly string[]} names
 * @returns {number} in characters, at least one
 */
export function longestName(names) {
  return Math.max(1, ...names.map((name) => [...name].length));
}
