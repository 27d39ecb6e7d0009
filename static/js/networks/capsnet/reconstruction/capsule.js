/**
 * The capsule on the bench: what the reconstruction view's parts all start from.
 * @import { EditRange } from "./range.js"
 * @import { CapsModel, DecodingState } from "../types.js"
 */

import { focusedDigit } from "../../../core/state.js";
import { editedPose, poseOf } from "./pose.js";
import { editRange } from "./range.js";

/**
 * @typedef {object} Capsule
 * @property {CapsModel} model
 * @property {DecodingState["trace"]} trace that the capsule was found in
 * @property {number} digit whose it is
 * @property {number[]} original as the network found it
 * @property {readonly number[]} edits differences from that; none is all zeros
 * @property {number[]} pose with the edits
 * @property {EditRange[]} ranges how far each number may be moved
 */

/**
 * @param {Pick<DecodingState, "model" | "trace" | "digit" | "edits">} state
 * @returns {Capsule}
 */
export function capsuleInFocus(state) {
  const { model, trace } = state;
  const digit = focusedDigit(state);
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
