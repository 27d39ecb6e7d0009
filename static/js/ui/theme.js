/** Hearing that the page has turned light or dark; on paper it is light. */
import { onPrinting } from "./printing.js";

/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * @param {() => void} listener told after every change, by the reader, the system or the printer
 */
export function onTheme(listener) {
  if (listeners.size === 0) observe();
  listeners.add(listener);
}

function observe() {
  const tell = () => {
    for (const listener of listeners) listener();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  onPrinting(tell);
  new MutationObserver(tell).observe(document.documentElement, {
    attributeFilter: ["data-theme"],
  });
}
