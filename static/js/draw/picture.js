/**
 * A picture of its own size, such as a test image: painted whenever it is another.
 * @import { Part } from "../ui/h.js"
 * @import { Pixels } from "../types.js"
 */
import { paintPixels } from "../paint/heatmap.js";
import { make, setAria } from "../ui/dom.js";
import { h } from "../ui/h.js";

/** CSS pixels of a side until it comes. */
const USUAL = 28;

/**
 * @template {object} Of
 * @param {Of | null} of what it shows; null while that is on its way
 * @param {(canvas: HTMLCanvasElement, of: Of) => void} paint
 * @param {Record<string, string>} [look] attributes of the canvas
 */
export const painted = (of, paint, look = {}) => h(paintedPart, { of, paint, look });

/** @param {Pixels | null} pixels @param {Record<string, string>} [look] */
export const picture = (pixels, look) => painted(pixels, paintPixels, look);

/**
 * A part of a larger picture, with a name of its own.
 * @param {string} label @param {import("../ui/h.js").Content} content @param {string} look its class
 */
export const named = (label, content, look) =>
  h("span", { role: "img", "aria-label": label, class: look }, content);

/** @type {Part<{ of: object | null, paint: (canvas: HTMLCanvasElement, of: any) => void, look: Record<string, string> }>} */
function paintedPart() {
  const canvas = make("canvas");
  /** @type {object | null | undefined} */
  let shown;
  return {
    element: canvas,
    show({ of, paint, look }) {
      setAria(canvas, look);
      if (of === shown) return;
      shown = of;
      if (of === null) canvas.width = canvas.height = USUAL;
      else paint(canvas, of);
    },
  };
}
