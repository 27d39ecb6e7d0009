/** Writing numbers into the places that a template has for them. */
import { findElement } from "./find.js";

/**
 * @param {HTMLElement} root
 * @returns {(name: string, text: string) => void} write a text into the element that is
 *   marked `data-` and the name; what stands there already is left alone
 */
export function writer(root) {
  /** @type {Map<string, { element: HTMLElement, text: string }>} */
  const places = new Map();
  return (name, text) => {
    const place = places.get(name) ?? {
      element: findElement(root, `[data-${name}]`),
      text: "",
    };
    places.set(name, place);
    if (place.text === text) return;
    place.element.textContent = text;
    place.text = text;
  };
}
