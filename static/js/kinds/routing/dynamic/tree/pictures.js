/**
 * The small pictures on a parse tree: the image, what capsules see of it, and the maps that
 * feed the chosen one.
 * @import { Field, Pixels } from "../../../../types.js"
 * @import { DynamicScene as Scene } from "../types.js"
 * @import { Fed } from "./trees.js"
 */
import { reach } from "../../../../lib/arithmetic.js";
import { sequential } from "../../../../lib/color.js";
import { memoizeByObject } from "../../../../lib/memoize.js";
import { paintHeatmap, paintPixels } from "../../../../paint/heatmap.js";

/** Of one image: itself, and its patches, each made when it is first asked for. */
const picturesOf = memoizeByObject(
  (/** @type {Pixels} */ pixels) => pixels,
  (pixels) => {
    const image = document.createElement("canvas");
    paintPixels(image, pixels);
    return {
      image,
      patches: /** @type {Map<string, HTMLCanvasElement>} */ (new Map()),
    };
  },
);

/** @param {Pixels} pixels */
export const pixelsOf = (pixels) => picturesOf(pixels).image;

/**
 * What the capsules at a place see.
 * @param {Pick<Scene, "pixels" | "layer" | "model">} scene
 * @param {{ row: number, column: number }} place
 */
export function patchIn({ pixels, layer, model }, place) {
  const { image, patches } = picturesOf(pixels);
  const field = /** @type {Field} */ (layer.field(model, place.row, place.column));
  const { row, column, size } = field;
  const key = `${row},${column}`;
  const known = patches.get(key);
  if (known) return known;
  const made = document.createElement("canvas");
  [made.width, made.height] = [size, size];
  made.getContext("2d")?.drawImage(image, -column, -row);
  patches.set(key, made);
  return made;
}

/** The windows on the maps that add most, on one scale. */
export const windowsOf = memoizeByObject(
  (/** @type {Fed} */ fed) => fed,
  ({ sums, strongest }) => {
    const size = sums.windows.length / sums.shares.length;
    const windows = strongest.map((map) =>
      sums.windows.subarray(map * size, (map + 1) * size),
    );
    const scale = sequential(0, Math.max(0, ...windows.map(reach)) || 1);
    const side = Math.sqrt(size);
    return windows.map((values) => {
      const canvas = document.createElement("canvas");
      paintHeatmap(canvas, values, { rows: side, columns: side, scale });
      return canvas;
    });
  },
);
