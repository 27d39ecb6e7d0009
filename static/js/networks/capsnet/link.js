/**
 * A capsule network's part of a link: what is chosen in each layer, and how it is looked
 * at.
 * @import { CapsModel, CapsSlice } from "./types.js"
 */
import { readWhole } from "../../lib/links.js";
import { readLooks, writeLooks } from "./link-looks.js";
import { sidesOf, startingPlaces } from "./places.js";

/** What the network's sizes bound, and say where to start. */
const PLACES = /** @type {const} */ (["map", "pixel", "dimension", "centre"]);

/**
 * @param {URLSearchParams} link what differs from the start is added to it
 * @param {CapsSlice} slice
 * @param {CapsModel} model
 */
export function writeSlice(link, slice, model) {
  const start = startingPlaces(model.card.config);
  for (const key of PLACES) {
    if (slice[key] !== start[key]) link.set(key, String(slice[key]));
  }
  writeLooks(link, slice);
}

/**
 * @param {URLSearchParams} link
 * @param {CapsModel} model
 * @returns {Partial<CapsSlice>} all that links keep; what this one does not say, or says
 *   wrongly, as it is at the start
 */
export function readSlice(link, model) {
  const { config: sizes } = model.card;
  /** @param {string} key @param {number} low @param {number} high */
  const whole = (key, low, high) => readWhole(link.get(key), low, high);

  const start = startingPlaces(sizes);
  const sides = sidesOf(sizes);
  return {
    map: whole("map", 0, sizes.conv1_kernels - 1) ?? start.map,
    pixel: whole("pixel", 0, sides.conv1 ** 2 - 1) ?? start.pixel,
    dimension: whole("dimension", 0, sizes.primary_dim - 1) ?? start.dimension,
    centre: whole("centre", 0, sizes.image_size ** 2 - 1) ?? start.centre,
    ...readLooks(link),
  };
}
