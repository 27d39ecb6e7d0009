/** Making SVG elements. */

/**
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} [attributes]
 * @param {string} [text]
 * @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, attributes = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAll(element, attributes);
  if (text !== "") element.textContent = text;
  return element;
}

/**
 * @param {SVGElement} element
 * @param {Record<string, string | number>} attributes
 */
export function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
}
