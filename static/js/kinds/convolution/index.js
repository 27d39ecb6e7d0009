/**
 * Convolution: kernels that read the image, or the maps of a layer below.
 * @import { Layout } from "../../geometry/tiles.js"
 * @import { Kind, Layer, Tensor, TraceOf } from "../types.js"
 * @import { LayerLook } from "./types.js"
 */
import { choice, group, optional, whole } from "../../core/schema.js";
import { bothOf } from "../../geometry/windows.js";
import { reach } from "../../lib/arithmetic.js";
import { sequential } from "../../lib/color.js";
import { isColour } from "../../lib/pixels.js";
import { paintTiles } from "../../paint/heatmap.js";
import { linkOf } from "../layer-state.js";
import { strongestPixel } from "./field.js";
import { glance } from "./glance.js";
import { isNormed } from "./norm.js";

/**
 * A convolution. Its tensors: `pre`, before ReLU, which is then done here: the same
 * numbers, half the way; `glimpse`, a few maps after ReLU; `below`, the maps that it reads,
 * where it does not read the image. Its weights: `kernels` and `bias`; where batch norm
 * comes after ReLU, also its `gain`, `shift`, `mean` and `deviation`.
 * @type {Kind}
 */
export const convolution = {
  name: "convolution",
  markup: (layer) => (readsImage(layer) ? "convolution-image" : "convolution-maps"),
  values: (layer, model) => ({
    pace: paceWords(bothOf(layer.window?.(model).step ?? 1)),
    norm: isNormed(layer) ? NORM : "",
  }),
  /** What ReLU stops is black in the thumbnail. */
  tensors: ({ tensors }) => ({ glimpse: tensors.pre }),
  ownKeys: ["map", "pixel", "look", "channel"],
  fields: fieldsOf,
  needs: ["pre"],
  shape: (model, layer) => layer.shapeOf(model, "pre").join("×"),
  glance,
  thumbnail: {
    needs: ["glimpse"],
    paint: (canvas, /** @type {TraceOf<"glimpse">} */ { tensors }) =>
      paintGlimpse(canvas, tensors.glimpse),
  },
  tryFirst: () => ({
    words: "See which maps respond most to this image.",
    button: "Put them first",
    at: "[data-sheet] canvas",
    change: (/** @type {{ look: LayerLook }} */ { look }) => ({
      look: { ...look, order: "energy" },
    }),
  }),
  focus({ model, layer, look }, { row, column, tile }) {
    const [, , across] = layer.shapeOf(model, "pre");
    const pixel = row * across + column;
    const focus = tile === undefined ? {} : { map: tile };
    return { ...focus, pixel, look: { ...look, mode: "relu" } };
  },
  strongest: {
    keys: ["map", "pixel"],
    of: ({ trace, map }) => strongestPixel(trace?.tensors.pre, map),
  },
  script: "kinds/convolution/view.js",
  load: () => import("./view.js"),
};

const NORM = " Batch norm then scales and shifts each map by numbers of its own.";

/** @param {Layer} layer */
const readsImage = ({ below }) => below === undefined;

/** How far a kernel moves at a time. @param {readonly [down: number, across: number]} step */
function paceWords([down, across]) {
  const words = (/** @type {number} */ step) =>
    `${["one", "two", "three", "four"][step - 1] ?? step} ${step === 1 ? "pixel" : "pixels"}`;
  return down === across
    ? words(down)
    : `${words(across)} across and ${words(down)} down`;
}

/** @type {NonNullable<Kind["fields"]>} */
function fieldsOf(model, layer) {
  const named = (/** @type {string} */ key) => linkOf(layer, key);
  const [count, rows, columns] = layer.shapeOf(model, "pre");
  const [channels] = model.input_shape;
  const isColoured = readsImage(layer) && isColour({ channels });
  const colours = isColoured ? /** @type {const} */ (["colours"]) : [];
  return {
    map: optional({ link: named("map"), most: count - 1 }),
    pixel: optional({ link: named("pixel"), most: rows * columns - 1 }),
    look: group({
      mode: choice(named("maps"), ["kernels", ...colours, "pre", "relu"], "relu"),
      order: choice(named("order"), ["number", "energy"]),
      scale: choice(named("scale"), ["layer", "tile"]),
    }),
    ...(readsImage(layer) && {
      channel: whole({ link: named("channel"), most: channels - 1 }),
    }),
  };
}

const GLIMPSE = { across: 4, gap: 2 }; // tiles in a row, and cells between them

/** @param {Tensor} maps (count, rows, columns) @returns {Layout} */
function glimpseTiles({ shape: [count, rows, columns] }) {
  return { count, rows, columns, ...GLIMPSE };
}

/**
 * A few maps of a layer as a thumbnail.
 * @param {HTMLCanvasElement} canvas
 * @param {Tensor} maps (count, rows, columns), none below zero
 */
export function paintGlimpse(canvas, maps) {
  const brightest = sequential(0, reach(maps.data) || 1);
  paintTiles(canvas, maps.data, glimpseTiles(maps), () => brightest);
}
