/**
 * Convolution: kernels that read the image, or the maps of a layer below.
 * @import { Layout } from "../../geometry/tiles.js"
 * @import { Kind, Layer, Model, Tensor, TraceOf } from "../types.js"
 * @import { LayerLook } from "./types.js"
 */
import { choice, group, packed, whole } from "../../core/schema.js";
import { bothOf } from "../../geometry/windows.js";
import { reach } from "../../lib/arithmetic.js";
import { sequential } from "../../lib/color.js";
import { isColour } from "../../lib/pixels.js";
import { paintTiles } from "../../paint/heatmap.js";
import { keysBelow, linkOf } from "../seeing.js";
import { middleOf } from "./field.js";
import { glance } from "./glance.js";
import {
  findsHorizontalEdges,
  packKernel,
  preset,
  unpackKernel,
} from "./kernel/kernels.js";
import { isNormed } from "./norm.js";

/**
 * A convolution. Its tensors: `pre`, before ReLU, which is then done here: the same
 * numbers, half the way; `glimpse`, a few maps after ReLU; `below`, the maps that it reads,
 * where it does not read the image. Its weights: `kernels` and `bias`; where batch norm
 * comes after ReLU, also its `gain`, `shift`, `mean` and `deviation`. Its words: `below`,
 * what the values of those maps are.
 * @type {Kind}
 */
export const convolution = {
  name: "convolution",
  markup(layer, model) {
    const reads = layer.below === undefined ? "image" : "maps";
    const what =
      reads === "maps" && Math.max(...stepOf(layer, model)) > 1 ? "strided" : reads;
    return `convolution-${what}${isNormed(layer) ? "-norm" : ""}`;
  },
  values: (layer, model) => ({ pace: paceWords(stepOf(layer, model)) }),
  words: () => ({ below: "activation" }),
  /** What ReLU stops is black in the thumbnail. */
  tensors: ({ tensors }) => ({ glimpse: tensors.pre }),
  own: ["map", "pixel", "look", "channel", "kernel", "centre", "beneath"],
  keys: keysBelow,
  fields: fieldsOf,
  needs: ["pre", "below"],
  shape: (model, layer) => layer.shapeOf(model, "pre").join("×"),
  glance,
  thumbnail: {
    needs: ["glimpse"],
    paint: (canvas, /** @type {TraceOf<"glimpse">} */ { tensors }) =>
      paintGlimpse(canvas, tensors.glimpse),
    layout: ({ tensors }) => glimpseTiles(tensors.glimpse),
  },
  tryFirst: () => ({
    words: "See which maps respond most to this image.",
    button: "Put them first",
    at: "[data-sheet] canvas",
    change: (/** @type {{ look: LayerLook }} */ { look }) => ({
      look: { ...look, order: "energy" },
    }),
  }),
  focus({ model, layer, look }, { row, column }) {
    const [, , across] = layer.shapeOf(model, "pre");
    const shown = isNormed(layer) ? "out" : "relu"; // what the layer above reads
    return { pixel: row * across + column, look: { ...look, shown } };
  },
  tasks: {
    /** One's own kernel finds horizontal edges. */
    "horizontal-edge": ({ look, kernel }) =>
      look.shown === "own" && findsHorizontalEdges(kernel),
  },
  script: "kinds/convolution/view.js",
  load: () => import("./view.js"),
};

/** How far a kernel moves at a time, down and across. @param {Layer} layer @param {Model} model */
const stepOf = (layer, model) => bothOf(layer.window?.(model).step ?? 1);

/** @param {readonly [down: number, across: number]} step */
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
  const out = isNormed(layer) ? /** @type {const} */ (["out"]) : [];
  const readsImage = layer.below === undefined;
  const own = readsImage ? /** @type {const} */ (["own"]) : [];
  const [channels] = model.input_shape;
  const colours =
    readsImage && isColour({ channels }) ? /** @type {const} */ (["colours"]) : [];
  return {
    map: whole({ link: named("map"), most: count - 1 }),
    pixel: whole({
      link: named("pixel"),
      most: rows * columns - 1,
      start: middleOf(rows, columns),
    }),
    look: group({
      shown: choice(
        named("maps"),
        ["kernels", ...colours, "pre", "relu", ...out, ...own],
        "relu",
      ),
      order: choice(named("order"), ["number", "energy"]),
      scale: choice(named("scale"), ["layer", "tile"]),
    }),
    ...(readsImage ? readsChannels(model, named) : readsMaps(model, layer)),
  };
}

/**
 * The channel of the image in focus; a kernel of one's own, and the pixel of the image
 * under its middle.
 * @param {Parameters<NonNullable<Kind["fields"]>>[0]} model
 * @param {(key: string) => string} named in links
 */
function readsChannels({ input_shape: [channels, rows, columns] }, named) {
  return {
    channel: whole({ link: named("channel"), most: channels - 1 }),
    kernel: packed({
      link: named("kernel"),
      start: preset("vertical", 3),
      pack: packKernel,
      unpack: unpackKernel,
      isLook: true,
    }),
    centre: whole({
      link: named("centre"),
      most: rows * columns - 1,
      start: middleOf(rows, columns),
    }),
  };
}

/** @type {NonNullable<Kind["fields"]>} */
function readsMaps(model, layer) {
  const [count] = layer.shapeOf(model, "below");
  return {
    mapBelow: whole({
      link: layer.hasOwnNames
        ? linkOf(layer, "below")
        : (layer.links?.mapBelow ?? "map"),
      most: count - 1,
    }),
    beneath: beneathFields({
      shown: linkOf(layer, "beneath"),
      order: linkOf(layer, "sorted"),
    }),
  };
}

/**
 * How the sum over the maps below a unit is looked at.
 * @param {{ shown: string, order: string }} links names there
 * @param {"window" | "weights" | "products"} [shown] at first
 */
export function beneathFields({ shown: what, order }, shown = "window") {
  return group({
    shown: choice(what, ["window", "weights", "products"], shown),
    order: choice(order, ["number", "share"], "share"),
  });
}

const GLIMPSE = { across: 4, gap: 2 }; // tiles in a row, and cells between them

/**
 * @param {Tensor} maps (count, rows, columns)
 * @returns {Layout}
 */
export function glimpseTiles({ shape: [count, rows, columns] }) {
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
