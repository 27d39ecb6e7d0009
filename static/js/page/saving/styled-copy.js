/** A copy of an SVG that carries its looks with it, for a file without style sheets. */

const LOOKS = [
  "fill",
  "fill-opacity",
  "fill-rule",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "vector-effect",
  "opacity",
  "visibility",
  "display",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "paint-order",
];

/**
 * @param {SVGSVGElement} source on the page
 * @param {{ width: number, height: number }} size in CSS pixels
 * @returns {SVGSVGElement}
 */
export function styledCopy(source, { width, height }) {
  const copy = /** @type {SVGSVGElement} */ (source.cloneNode(true));
  const originals = [source, ...source.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    for (const look of LOOKS)
      copies[i].setAttribute(look, style.getPropertyValue(look));
    for (const name of ["class", "style", "tabindex", "aria-hidden", "role"])
      copies[i].removeAttribute(name);
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.setAttribute("overflow", "visible");
  return copy;
}
