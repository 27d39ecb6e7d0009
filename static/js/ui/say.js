/** Changing words only where they differ: every change, even to the same, is laid out. */

/**
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
