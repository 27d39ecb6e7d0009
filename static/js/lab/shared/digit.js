/**
 * The changed digit, large, with the original faint behind it.
 * @import { Pixels } from "../../types.js"
 */
import { paintOver } from "../../paint/pictures.js";

/**
 * @param {HTMLElement} root filled
 * @param {string} label of the picture
 */
export function changedDigit(root, label) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  canvas.className = "lab-digit";
  root.prepend(canvas);
  return {
    canvas,

    /**
     * @param {Pixels} changed
     * @param {Pixels} original of the same size
     */
    show: (changed, original) => paintOver(canvas, changed, original),
  };
}
