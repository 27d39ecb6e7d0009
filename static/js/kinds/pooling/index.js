/**
 * Max-pooling: of each window of a map, the largest value goes on.
 * @import { Kind, Layer, TraceOf } from "../types.js"
 * @import { PoolingLook } from "./types.js"
 */
import { choice, group, optional, packed, transient } from "../../core/schema.js";
import { isMoved, packShift, UNMOVED, unpackShift } from "../../lib/shift.js";
import { strongestPixel } from "../convolution/field.js";
import { glimpseTiles, paintGlimpse } from "../convolution/index.js";
import { keyOf, linkOf, mapKeyOf } from "../seeing.js";
import { glance } from "./glance.js";
import { isFirst, keepMoved, NEEDS } from "./keep.js";

const TRIES = {
  move: {
    words: "Move the image by one pixel. Does pooling hide the move?",
    button: "Move it right",
    at: "[data-moved]",
    change: () => ({ shift: { down: 0, right: 1 } }),
  },
  lost: {
    words: "See what this layer throws away.",
    button: "Show it",
    at: "[data-maps] canvas",
    change: (/** @type {{ look: PoolingLook }} */ { look }) => ({
      look: { ...look, shown: "lost" },
    }),
  },
};

/**
 * Max-pooling with windows of 2×2. Its tensors: `below`, the maps that it reads, none of
 * them below zero; `values`, what goes on; `winners`, which pixel of each window did;
 * `glimpse`, a few maps; `scores`, the network's. The first of a network has its windows and
 * its image moved; those above have their maps and values.
 * @type {Kind}
 */
export const pooling = {
  name: "pooling",
  markup: (layer) => (isFirst(layer) ? "pooling" : "pooling-above"),
  formerly: (layer) =>
    Object.fromEntries(isFirst(layer) ? [] : [["values", { view: layer.id }]]),
  tensors: ({ tensors }) => ({ glimpse: tensors.values }),
  own: ["look"],
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
        shown: choice(linkOf(layer, "pooling"), ["pooled", "lost"]),
        order: choice(linkOf(layer, "pooling-order"), ["number", "lost"]),
      }),
      shift: packed({
        link: "moved",
        start: UNMOVED,
        pack: packShift,
        unpack: unpackShift,
      }),
      moved: transient(null),
    };
  },
  needs: NEEDS,
  shape: (model, layer) => layer.shapeOf(model, "values").join("×"),
  glance,
  thumbnail: {
    needs: ["glimpse"],
    paint: (canvas, /** @type {TraceOf<"glimpse">} */ { tensors }) =>
      paintGlimpse(canvas, tensors.glimpse),
    layout: ({ tensors }) => glimpseTiles(tensors.glimpse),
  },
  tryFirst: (layer) => (isFirst(layer) ? TRIES.move : TRIES.lost),
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
  tasks: {
    /** The image has been moved, to compare pooling before and after. */
    moved: ({ shift }) => isMoved(shift),
  },
  start(store, services, layer) {
    if (isFirst(layer)) keepMoved(store, services, layer);
  },
  script: "kinds/pooling/panels.js",
  load: () => import("./panels.js"),
};
