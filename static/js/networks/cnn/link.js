/**
 * A CNN's part of a link: what is chosen in each layer, and how it is looked at.
 * @import { Switches } from "../../lib/links.js"
 * @import { CnnModel, CnnSlice } from "./types.js"
 */
import { packKernel, unpackKernel } from "../../convolution/kernel/code.js";
import { BENEATH_SWITCHES, LAYER_SWITCHES } from "../../convolution/look.js";
import { readSwitches, readWhole, writeSwitches } from "../../lib/links.js";
import { sidesOf, startingPlaces } from "./places.js";
import { readShift, writeShift } from "./pool/moved/link.js";
import { LOOKS, sizesOf } from "./state.js";

/** @type {Switches} */
const CONV2_SWITCHES = {
  shown: { name: "maps2", values: ["kernels", "pre", "relu"] },
  order: { ...LAYER_SWITCHES.order, name: "order2" },
  scale: { ...LAYER_SWITCHES.scale, name: "scale2" },
};

/** @type {Switches} */
const POOLING_SWITCHES = {
  shown: { name: "pooling", values: ["pooled", "lost"] },
  order: { name: "pooling-order", values: ["number", "lost"] },
};

/** @type {Switches} */
const UNITS_SWITCHES = {
  shown: { name: "units", values: ["after", "before", "given"] },
  order: { name: "units-order", values: ["number", "given"] },
};

/** @type {Switches} */
const INPUTS_SWITCHES = {
  shown: { ...BENEATH_SWITCHES.shown, name: "inputs" },
  order: { ...BENEATH_SWITCHES.order, name: "inputs-order" },
};

/**
 * How many there are of everything that can be chosen.
 * @param {CnnModel} model
 * @returns {ReturnType<typeof startingPlaces>}
 */
function countsOf(model) {
  const sizes = sizesOf(model);
  const { conv1, conv2 } = sidesOf(sizes);
  return {
    map: sizes.conv1_kernels,
    pixel: conv1 ** 2,
    map2: sizes.conv2_kernels,
    pixel2: conv2 ** 2,
    centre: sizes.image_size ** 2,
  };
}

/** @typedef {keyof ReturnType<typeof countsOf>} PlaceKey */

/**
 * @param {URLSearchParams} link what differs from the start is added to it
 * @param {CnnSlice} slice
 * @param {CnnModel} model
 */
export function writeSlice(link, slice, model) {
  const start = startingPlaces(sizesOf(model));
  for (const [name, first] of Object.entries(start)) {
    const key = /** @type {PlaceKey} */ (name);
    if (slice[key] !== first) link.set(key, String(slice[key]));
  }
  if (slice.unit !== null) link.set("unit", String(slice.unit));
  writeSwitches(link, LAYER_SWITCHES, slice.conv1, LOOKS.conv1);
  writeSwitches(link, CONV2_SWITCHES, slice.conv2, LOOKS.conv2);
  writeSwitches(link, BENEATH_SWITCHES, slice.beneath, LOOKS.beneath);
  writeSwitches(link, POOLING_SWITCHES, slice.pooling, LOOKS.pooling);
  writeSwitches(link, UNITS_SWITCHES, slice.units, LOOKS.units);
  writeSwitches(link, INPUTS_SWITCHES, slice.inputs, LOOKS.inputs);
  writeShift(link, slice.shift);
  const code = packKernel(slice.kernel);
  if (code !== packKernel(LOOKS.kernel)) link.set("kernel", code);
}

/**
 * @param {URLSearchParams} link
 * @param {CnnModel} model
 * @returns {Partial<CnnSlice>} all that links keep; what this one does not say, or says
 *   wrongly, as it is at the start
 */
export function readSlice(link, model) {
  const sizes = sizesOf(model);
  const places = startingPlaces(sizes);
  for (const [name, count] of Object.entries(countsOf(model))) {
    const key = /** @type {PlaceKey} */ (name);
    places[key] = readWhole(link.get(key), 0, count - 1) ?? places[key];
  }
  return {
    ...places,
    unit: readWhole(link.get("unit"), 0, sizes.hidden_units - 1),
    conv1: readSwitches(link, LAYER_SWITCHES, LOOKS.conv1),
    conv2: readSwitches(link, CONV2_SWITCHES, LOOKS.conv2),
    beneath: readSwitches(link, BENEATH_SWITCHES, LOOKS.beneath),
    pooling: readSwitches(link, POOLING_SWITCHES, LOOKS.pooling),
    units: readSwitches(link, UNITS_SWITCHES, LOOKS.units),
    inputs: readSwitches(link, INPUTS_SWITCHES, LOOKS.inputs),
    shift: readShift(link),
    kernel: unpackKernel(link.get("kernel") ?? "") ?? LOOKS.kernel,
  };
}
