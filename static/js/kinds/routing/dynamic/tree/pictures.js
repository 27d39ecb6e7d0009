/**
 * The small pictures on a parse tree: the image, and what capsules see of it.
 * @import { Field, Pixels } from "../../../../types.js"
 * @import { DynamicScene as Scene } from "../types.js"
 */
import { memoizeByObject } from "../../../../lib/memoize.js";
import { paintPixels } from "../../../../paint/heatmap.js";

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
