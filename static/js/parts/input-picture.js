/**
 * The input with a frame around what the chosen unit saw; the rest is dimmed.
 * @import { Field, Pixels } from "../types.js"
 */
import { ink } from "../lib/color.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { showField } from "./field.js";
import { find, findCanvas } from "./find.js";
import { setAll } from "./svg.js";

/**
 * @param {HTMLElement} root an `.overlaid` with a canvas and an SVG that holds a path
 *   `.outside` and the frames `.field` and `.pointed`
 */
export function inputPicture(root) {
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg", SVGSVGElement);
  const outside = find(overlay, ".outside", SVGPathElement);
  const frame = find(overlay, ".field", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  let side = 0;

  return {
    /**
     * @param {Pixels} pixels
     * @param {number} sideNow pixels in a row
     */
    show(pixels, sideNow) {
      side = sideNow;
      const values = Float32Array.from(pixels, (byte) => byte / 255);
      paintHeatmap(canvas, values, { rows: side, columns: side, scale: ink() });
      setAll(overlay, { viewBox: `0 0 ${side} ${side}` });
    },

    /** @param {Field} field of the chosen unit */
    frame(field) {
      showField(frame, field);
      const { row, column, size } = field;
      const hole = `M${column} ${row}h${size}v${size}h${-size}z`;
      outside.setAttribute("d", `M0 0h${side}v${side}h${-side}z${hole}`);
    },

    /** @param {Field | null} field of the unit under the pointer */
    point(field) {
      showField(pointed, field);
    },
  };
}
