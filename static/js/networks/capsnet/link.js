/**
 * A capsule network's part of a link: iterations, what is chosen in each layer, how it is
 * looked at, and surgery.
 * @import { CapsModel, CapsSlice } from "./types.js"
 */
import { readWhole } from "../../lib/links.js";
import { readLooks, writeLooks } from "./link-looks.js";
import { sidesOf, startingPlaces } from "./places.js";
import {
  packPin,
  packSilence,
  unpackPins,
  unpackSilence,
} from "./routing/surgery/link.js";

/** What the network's sizes bound, and say where to start. */
const PLACES = /** @type {const} */ (["map", "pixel", "dimension", "centre"]);

/**
 * @param {URLSearchParams} link what differs from the start is added to it
 * @param {CapsSlice} slice
 * @param {CapsModel} model
 */
export function writeSlice(link, slice, model) {
  link.set("iterations", String(slice.iterations));
  if (slice.step !== slice.iterations) link.set("step", String(slice.step));
  const start = startingPlaces(model.card.config);
  for (const key of PLACES) {
    if (slice[key] !== start[key]) link.set(key, String(slice[key]));
  }
  if (!slice.followsStrongest) link.set("capsule", String(slice.capsule));
  writeLooks(link, slice);
  writeSurgery(link, slice, model);
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

  const iterations =
    whole("iterations", 1, model.max_routing_iterations) ?? model.routing_iterations;
  const start = startingPlaces(sizes);
  const sides = sidesOf(sizes);
  const capsules = sizes.primary_types * sides.primary ** 2;
  const capsule = whole("capsule", 0, capsules - 1);
  return {
    iterations,
    step: whole("step", 1, iterations) ?? iterations,
    map: whole("map", 0, sizes.conv1_kernels - 1) ?? start.map,
    pixel: whole("pixel", 0, sides.conv1 ** 2 - 1) ?? start.pixel,
    capsule: capsule ?? start.capsule,
    followsStrongest: capsule === null,
    dimension: whole("dimension", 0, sizes.primary_dim - 1) ?? start.dimension,
    centre: whole("centre", 0, sizes.image_size ** 2 - 1) ?? start.centre,
    ...readLooks(link),
    ...readSurgery(link, { capsules, cells: sides.primary ** 2, model }),
  };
}

/**
 * @param {URLSearchParams} link
 * @param {CapsSlice} slice
 * @param {CapsModel} model
 */
function writeSurgery(link, { surgery, showsOperated }, model) {
  const { silenced, routing, pins } = surgery;
  if (silenced.length > 0) {
    const { primary } = sidesOf(model.card.config);
    link.set("silence", packSilence(silenced, primary ** 2));
  }
  if (routing !== "agreement") link.set("routing", routing);
  for (const pin of pins) link.append("pin", packPin(pin));
  if (showsOperated) link.set("shown", "operated");
}

/**
 * @param {URLSearchParams} link
 * @param {{ capsules: number, cells: number, model: CapsModel }} sizes
 * @returns {Pick<CapsSlice, "surgery" | "showsOperated">}
 */
function readSurgery(link, { capsules, cells, model }) {
  return {
    surgery: {
      silenced: unpackSilence(link.get("silence") ?? "", { capsules, cells }),
      routing: link.get("routing") === "uniform" ? "uniform" : "agreement",
      pins: unpackPins(link.getAll("pin"), {
        capsules,
        classes: model.classes,
      }),
    },
    showsOperated: link.get("shown") === "operated",
  };
}
