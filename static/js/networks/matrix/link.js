/**
 * A link's part for matrix capsules: what is chosen in each layer, and how Conv1 is looked
 * at.
 * @import { MatrixModel, MatrixSlice } from "./types.js"
 */
import { packKernel, unpackKernel } from "../../convolution/kernel/code.js";
import { LAYER_SWITCHES } from "../../convolution/look.js";
import { readSwitches, readWhole, writeSwitches } from "../../lib/links.js";
import { gridOf, POSE, sidesOf, startingPlaces } from "./places.js";
import { LOOKS, sizesOf } from "./state.js";

/**
 * How many there are of everything that can be chosen.
 * @param {MatrixModel} model
 * @returns {ReturnType<typeof startingPlaces>}
 */
function countsOf(model) {
  const sizes = sizesOf(model);
  const capsules = (/** @type {"primary" | "caps1" | "caps2"} */ layer) => {
    const { types, side } = gridOf(sizes, layer);
    return types * side ** 2;
  };
  return {
    map: sizes.conv1_kernels,
    pixel: sidesOf(sizes).conv1 ** 2,
    centre: sizes.image_size ** 2,
    primary: capsules("primary"),
    caps1: capsules("caps1"),
    caps2: capsules("caps2"),
    entry: POSE,
  };
}

/** @typedef {keyof ReturnType<typeof countsOf>} PlaceKey */

/**
 * @param {URLSearchParams} link what differs from the start is added to it
 * @param {MatrixSlice} slice
 * @param {MatrixModel} model
 */
export function writeSlice(link, slice, model) {
  const start = startingPlaces(sizesOf(model));
  for (const [name, first] of Object.entries(start)) {
    const key = /** @type {PlaceKey} */ (name);
    if (slice[key] !== first) link.set(key, String(slice[key]));
  }
  writeSwitches(link, LAYER_SWITCHES, slice.conv1, LOOKS.conv1);
  const code = packKernel(slice.kernel);
  if (code !== packKernel(LOOKS.kernel)) link.set("kernel", code);
}

/**
 * @param {URLSearchParams} link
 * @param {MatrixModel} model
 * @returns {Partial<MatrixSlice>} all that links keep; what this one does not say, or says
 *   wrongly, as it is at the start
 */
export function readSlice(link, model) {
  const places = startingPlaces(sizesOf(model));
  for (const [name, count] of Object.entries(countsOf(model))) {
    const key = /** @type {PlaceKey} */ (name);
    places[key] = readWhole(link.get(key), 0, count - 1) ?? places[key];
  }
  return {
    ...places,
    conv1: readSwitches(link, LAYER_SWITCHES, LOOKS.conv1),
    kernel: unpackKernel(link.get("kernel") ?? "") ?? LOOKS.kernel,
  };
}
