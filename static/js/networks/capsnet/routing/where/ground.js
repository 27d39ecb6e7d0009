/**
 * The digit as the ground for discs, and the fields whose middles they stand on.
 * @import { Field, Pixels } from "../../../../types.js"
 * @import { CapsNetSizes } from "../../types.js"
 */

import { ink } from "../../../../lib/color.js";
import { memoizeByObject } from "../../../../lib/memoize.js";
import { paintHeatmap } from "../../../../paint/heatmap.js";
import { fieldOfCapsule, sidesOf } from "../../places.js";

/** How light the ink is: discs must stand out from it. */
const LIGHT = 0.6;

/** The digit as a small canvas, one pixel each. */
export const groundOf = memoizeByObject(
  (/** @type {Pixels} */ pixels) => pixels,
  (pixels) => {
    const { bytes, rows, columns } = pixels;
    const canvas = document.createElement("canvas");
    const scale = { ...ink(), high: 255 / LIGHT };
    paintHeatmap(canvas, bytes, { rows, columns, scale });
    return canvas;
  },
);

/** The fields of all places, row by row. */
export const fieldsOf = memoizeByObject(
  (/** @type {CapsNetSizes} */ sizes) => sizes,
  (sizes) => {
    const { primary: side } = sidesOf(sizes);
    /** @type {Field[]} */
    const fields = [];
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++)
        fields.push(fieldOfCapsule(sizes, row, column));
    }
    return fields;
  },
);
