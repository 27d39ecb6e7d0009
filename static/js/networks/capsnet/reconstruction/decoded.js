/**
 * Which picture the decoder drew of the capsule in focus: the one that came with the
 * trace, or the last one that was asked for.
 * @import { TraceOf } from "../../../types.js"
 * @import { DecodingState } from "../types.js"
 */
import { focusedDigit } from "../../../core/state.js";
import { editedPose, poseOf } from "./pose.js";

/**
 * What of the state tells which picture it is.
 * @typedef {Pick<DecodingState, "digit" | "edits" | "decoded"> & { trace: TraceOf<"reconstruction" | "digits.capsules"> }} CapsuleState
 */

/**
 * @typedef {object} DecodedImage
 * @property {Float32Array} data ink in 0..1, row by row
 * @property {boolean} isCurrent of the capsule as it is now; false while the answer is on
 *   its way
 */

/**
 * @param {CapsuleState} state
 * @returns {DecodedImage | null} null when nothing has been decoded yet
 */
export function decodedImage(state) {
  const { trace, decoded } = state;
  if (isNetworksOwn(state))
    return { data: trace.tensors.reconstruction.data, isCurrent: true };
  return decoded && { data: decoded.data, isCurrent: isAnswer(state) };
}

/**
 * Whether what was decoded last is the capsule as it is now.
 * @param {CapsuleState} state
 */
function isAnswer(state) {
  const { trace, edits, decoded } = state;
  const digit = focusedDigit(state);
  if (decoded?.digit !== digit) return false;
  const wanted = editedPose(
    poseOf(trace.tensors["digits.capsules"], digit),
    edits[digit],
  );
  return wanted.every((value, dimension) => value === decoded.pose[dimension]);
}

/**
 * Whether the capsule on the bench is the one that the trace decoded itself.
 * @param {CapsuleState} state
 */
function isNetworksOwn(state) {
  const digit = focusedDigit(state);
  return digit === state.trace.prediction && state.edits[digit] === undefined;
}
