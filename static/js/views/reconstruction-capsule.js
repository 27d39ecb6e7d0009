/**
 * The capsule on the bench: what the reconstruction view's parts all start from.
 * @import { AppState, Model, Trace } from "../types.js"
 * @import { EditRange } from "../lib/pose-range.js"
 */
import { editedPose, poseOf } from "../lib/pose.js";
import { editRange } from "../lib/pose-range.js";
import { focusedDigit } from "../state.js";

/**
 * @typedef {object} Capsule
 * @property {Model} model
 * @property {Trace} trace that the capsule was found in
 * @property {number} digit whose it is
 * @property {number[]} original as the network found it
 * @property {readonly number[]} edits differences from that; none is all zeros
 * @property {number[]} pose with the edits
 * @property {EditRange[]} ranges how far each number may be moved
 */

/**
 * @param {Pick<AppState, "model" | "trace" | "digit" | "edits">} state
 * @returns {Capsule | null} null until there is an answer
 */
export function capsuleInFocus(state) {
  const { model, trace } = state;
  const digit = focusedDigit(state);
  if (model === null || trace === null || digit === null) return null;
  const original = poseOf(trace.tensors["digits.capsules"], digit);
  const edits = state.edits[digit] ?? original.map(() => 0);
  const used = model.card.pose_ranges?.[digit];
  return {
    model,
    trace,
    digit,
    original,
    edits,
    pose: editedPose(original, edits),
    ranges: original.map((value, i) => editRange(used?.[i], value, edits[i])),
  };
}

/** @param {Pick<Capsule, "edits">} capsule */
export function isEdited({ edits }) {
  return edits.some((difference) => difference !== 0);
}

/**
 * The dimensions that are edited, as people count them.
 * @param {Pick<Capsule, "edits">} capsule
 * @returns {number[]} 1 first
 */
export function editedDimensions({ edits }) {
  return edits.flatMap((difference, i) => (difference === 0 ? [] : [i + 1]));
}
