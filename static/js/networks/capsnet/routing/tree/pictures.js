/**
 * The small pictures on a tree: the image, the patch that each place sees, and the window
 * of the chosen capsule on each of Conv1's maps.
 * @import { Pixels } from "../../../../types.js"
 * @import { CapsNetSizes } from "../../types.js"
 * @import { Fed } from "./fed.js"
 */

import { reach } from "../../../../lib/arithmetic.js";
import { ink, sequential } from "../../../../lib/color.js";
import { memoizeByObject } from "../../../../lib/memoize.js";
import { paintHeatmap } from "../../../../paint/heatmap.js";
import { fieldOfCapsule } from "../../places.js";
import { cut } from "../../portraits/patches.js";

/** @typedef {{ row: number, column: number }} Place */

/** Of one image: itself, and its patches, each made when it is first asked for. */
export const picturesOf = memoizeByObject(
  (/** @type {{ pixels: Pixels, sizes: CapsNetSizes }} */ { pixels }) => pixels,
  ({ pixels, sizes }) => {
    const side = sizes.image_size;
    const whole = { row: 0, column: 0, size: side };
    /** @type {Map<string, HTMLCanvasElement>} */
    const patches = new Map();
    return {
      image: pictureOf(cut(pixels.bytes, side, whole, side), side, ink()),

      /** What the capsules at a place see. @param {Place} place */
      patch({ row, column }) {
        const key = `${row},${column}`;
        const field = fieldOfCapsule(sizes, row, column);
        const made =
          patches.get(key) ??
          pictureOf(cut(pixels.bytes, side, field, field.size), field.size, ink());
        patches.set(key, made);
        return made;
      },
    };
  },
);

/**
 * The windows on the maps that add most, on one scale.
 * @param {Fed} fed
 * @param {number} side of a window
 * @returns {HTMLCanvasElement[]}
 */
export function windowsOf({ sums, strongest }, side) {
  const windows = strongest.map((map) =>
    sums.windows.subarray(map * side * side, (map + 1) * side * side),
  );
  const most = Math.max(0, ...windows.map(reach)) || 1;
  return windows.map((values) => pictureOf(values, side, sequential(0, most)));
}

/**
 * @param {Float32Array} values (side, side)
 * @param {number} side
 * @param {import("../../../../lib/color.js").Scale} scale
 */
function pictureOf(values, side, scale) {
  const canvas = document.createElement("canvas");
  paintHeatmap(canvas, values, { rows: side, columns: side, scale });
  return canvas;
}
