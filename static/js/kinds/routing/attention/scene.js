/**
 * What the pictures of attention routing share: the run on show, and the vote that is chosen
 * in it. While a run under surgery is on its way, the scene before stays.
 * @import { Operable } from "../types.js"
 * @import { AttentionState, AttentionTensors } from "./types.js"
 */
import { holds } from "../../../core/rooms.js";
import { focusedClass } from "../../../core/state.js";
import { largestOf } from "../../../lib/arithmetic.js";
import { runOf } from "../surgery/operated.js";
import { figuresOf } from "./sums.js";

/** What the pictures need, whatever run they show. */
export const PICTURED = /** @type {const} */ ([
  "lengths",
  "poses",
  "votes",
  "attention",
  "agreement",
  "shares",
  "couplings",
  "capsules",
]);

/** What surgery has to know of it. @type {Operable} */
export const OPERABLE = { pictured: PICTURED };

/** What is on show. @param {AttentionState} state */
export function sceneOf(state) {
  const { model, capsule, other, entry, weights: learned } = state;
  const run = runOf(state, OPERABLE);
  if (run === null) return null;
  // Of the intact run, or of that under surgery where the reader wants to see it.
  const tensors = tensorsOf(run.trace);
  const classIndex = focusedClass(state); // in focus
  return {
    ...{ model, capsule, other, entry, learned, tensors, classIndex },
    ran: run.ran, // what the run on show was run under
    pixels: run.trace.pixels,
    figures: figuresOf(tensors),
    name: model.class_names[classIndex],
  };
}

/** @param {{ tensors: unknown }} trace */
const tensorsOf = ({ tensors }) => /** @type {AttentionTensors} */ (tensors);

/**
 * The capsule that gives the most to the class in focus in the intact run; the first of
 * several.
 * @param {Pick<AttentionState, "trace" | "classIndex" | "model">} state
 * @returns {number | null} null while it is not known how the image was routed
 */
export function strongestCapsule({ trace, classIndex, model }) {
  if (!holds(trace, model, ["votes", "couplings"])) return null;
  const focus = focusedClass({ classIndex, trace });
  return largestOf(figuresOf(tensorsOf(trace)).evidence(focus));
}
