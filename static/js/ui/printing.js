/** Hearing that the page is being printed, and that it has been. */

/** @type {Set<(isNow: boolean) => void>} */
const listeners = new Set();

let isPrinting = false;

/**
 * @param {(isNow: boolean) => void} listener told in the order of these calls; what it has
 *   not done when it returns is not printed
 */
export function onPrinting(listener) {
  if (listeners.size === 0) listen();
  listeners.add(listener);
}

function listen() {
  addEventListener("beforeprint", () => tell(true));
  addEventListener("afterprint", () => tell(false));
  // Some browsers send no events, and none does where print is only simulated.
  matchMedia("print").addEventListener("change", ({ matches }) => tell(matches));
}

/** @param {boolean} isNow */
function tell(isNow) {
  if (isNow === isPrinting) return;
  isPrinting = isNow;
  document.documentElement.classList.toggle("is-printed", isNow);
  for (const listener of listeners) listener(isNow);
}
