/** The scripts of each view, as the page's template names them. */
import { find } from "./find.js";

/**
 * Fetch a view's scripts all at once: import() alone would fetch one layer of imports
 * after the other.
 * @param {string} view
 */
export function preload(view) {
  const block = find(document, "script[data-packs]", HTMLScriptElement);
  /** @type {Record<string, string[]>} */
  const packs = JSON.parse(block.textContent ?? "{}");
  document.head.append(...(packs[view] ?? []).map(toLink));
}

/** @param {string} address */
function toLink(address) {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = address;
  return link;
}
