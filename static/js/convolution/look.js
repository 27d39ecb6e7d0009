/**
 * How convolutions are looked at before anybody says otherwise, and how that stands in
 * links.
 * @import { BeneathLook, LayerLook, OwnKernel } from "./types.js"
 * @import { Switches } from "../lib/links.js"
 */
import { preset } from "./kernel/presets.js";

/** @type {LayerLook} */
export const LAYER_LOOK = { shown: "relu", order: "number", scale: "layer" };

/** @type {BeneathLook} */
export const BENEATH_LOOK = { shown: "window", order: "share" };

/** @type {OwnKernel} */
export const OWN_KERNEL = preset("vertical", 3);

/** @type {Switches} */
export const LAYER_SWITCHES = {
  shown: { name: "maps", values: ["kernels", "pre", "relu", "own"] },
  order: { name: "order", values: ["number", "energy"] },
  scale: { name: "scale", values: ["layer", "tile"] },
};

/** @type {Switches} */
export const BENEATH_SWITCHES = {
  shown: { name: "beneath", values: ["window", "weights", "products"] },
  order: { name: "sorted", values: ["number", "share"] },
};
