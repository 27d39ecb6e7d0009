/** What squash does to a length, with the chosen capsule and those of its type on it. */
import { find, findElement } from "../parts/find.js";
import { squashCurve } from "../parts/squash-curve.js";

/** @param {HTMLElement} root */
export function mountCurve(root) {
  const picture = find(root, "[data-curve]", SVGSVGElement);
  return squashCurve(picture, findElement(root, "[data-curve-text]"));
}
