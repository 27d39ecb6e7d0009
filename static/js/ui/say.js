/** Changing words only where they differ: every change, even to the same, is laid out. */

/**
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {HTMLElement} element
 * @param {Record<string, string>} attributes
 */
export function setAria(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
