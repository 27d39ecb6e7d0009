/**
 * A square picture with a frame around what the chosen unit saw; the rest is dimmed.
 * @import { Scale } from "../lib/color.js"
 * @import { Field } from "../types.js"
 */
import { ink } from "../lib/color.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { showField } from "./field.js";
import { find, findCanvas } from "./find.js";
import { fitToPicture } from "./marks.js";

/**
 * @param {HTMLElement} root an `.overlaid` with a canvas and an SVG that holds a path
 *   `.outside` and the frames `.field` and `.pointed`
 */
export function framedPicture(root) {
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg", SVGSVGElement);
  const outside = find(overlay, ".outside", SVGPathElement);
  const frame = find(overlay, ".field", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  let side = 1;
  const layout = () => ({ count: 1, across: 1, rows: side, columns: side, gap: 0 });

  return {
    canvas,
    layout,

    /**
     * @param {ArrayLike<number>} values (side, side)
     * @param {number} sideNow pixels in a row
     * @param {Scale} [scale] that of ink when absent
     */
    show(values, sideNow, scale = ink()) {
      side = sideNow;
      paintHeatmap(canvas, values, { rows: side, columns: side, scale });
      fitToPicture(overlay, layout());
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
