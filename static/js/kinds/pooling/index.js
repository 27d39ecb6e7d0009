/**
 * Max-pooling: of each window of a map, the largest value goes on.
 * @import { Kind, Layer, TraceOf } from "../types.js"
 * @import { PoolingLook } from "./types.js"
 */
import { choice, group, optional } from "../../core/schema.js";
import { strongestPixel } from "../convolution/field.js";
import { paintGlimpse } from "../convolution/index.js";
import { keyOf, linkOf, mapKeyOf } from "../layer-state.js";
import { glance } from "./glance.js";
import { isFirst } from "./windows.js";

/**
 * Max-pooling with windows of 2×2. Its tensors: `below`, the maps that it reads, none of
 * them below zero; `values`, what goes on; `winners`, which pixel of each window did;
 * `glimpse`, a few maps. The first of a network has its windows; those above have their maps
 * and values.
 * @type {Kind}
 */
export const pooling = {
  name: "pooling",
  markup: (layer) => (isFirst(layer) ? "pooling" : "pooling-above"),
  tensors: ({ tensors }) => ({ glimpse: tensors.values }),
  ownKeys: ["look"],
  /** What is chosen is chosen below. */
  keys(layer) {
    /** @type {Record<string, string>} */
    const none = {};
    if (!layer.hasOwnNames) return none;
    const below = layer.network.find(({ id }) => id === layer.below);
    const map = mapKeyOf(below);
    return below && map
      ? { map, pixel: keyOf(below, below.kind.name === "tensor" ? "cell" : "pixel") }
      : { map: `${layer.id}.map`, pixel: `${layer.id}.pixel` };
  },
  fields(model, layer) {
    const [count, rows, columns] = layer.shapeOf(model, "below");
    return {
      map: optional({ link: linkOf(layer, "map"), most: count - 1 }),
      pixel: optional({ link: linkOf(layer, "pixel"), most: rows * columns - 1 }),
      look: group({
        mode: choice(linkOf(layer, "pooling"), ["pooled", "lost"]),
        order: choice(linkOf(layer, "pooling-order"), ["number", "lost"]),
      }),
    };
  },
  needs: ["below", "values", "winners"],
  shape: (model, layer) => layer.shapeOf(model, "values").join("×"),
  glance,
  thumbnail: {
    needs: ["glimpse"],
    paint: (canvas, /** @type {TraceOf<"glimpse">} */ { tensors }) =>
      paintGlimpse(canvas, tensors.glimpse),
  },
  tryFirst: () => ({
    words: "See what this layer throws away.",
    button: "Show it",
    at: "[data-maps] canvas",
    change: (/** @type {{ look: PoolingLook }} */ { look }) => ({
      look: { ...look, mode: "lost" },
    }),
  }),
  focus({ model, layer }, { row, column, tile }) {
    const [, , columns] = layer.shapeOf(model, "below");
    const { step } = layer.window(model);
    const pixel = step * (row * columns + column); // the first in that window
    return { ...(tile !== undefined && { map: tile }), pixel };
  },
  strongest: {
    keys: ["map", "pixel"],
    of: ({ trace, map }) => strongestPixel(trace?.tensors.below, map),
  },
  script: "kinds/pooling/panels.js",
  load: () => import("./panels.js"),
};
