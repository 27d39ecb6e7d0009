/** Leading the reader to a part of the page. */

const RINGED_MS = 1600;

/**
 * Bring an element into sight, ring it for a moment, and put the focus there.
 * @param {Element | null | undefined} element
 */
export function lead(element) {
  if (!(element instanceof HTMLElement)) return;
  const folder = element.closest("details");
  if (folder) folder.open = true;
  const isTall = element.offsetHeight > innerHeight / 2;
  element.scrollIntoView({ block: isTall ? "start" : "center" });
  if (element.tabIndex < 0 && !element.hasAttribute("tabindex")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.classList.add("is-led-to");
  setTimeout(() => element.classList.remove("is-led-to"), RINGED_MS);
}
