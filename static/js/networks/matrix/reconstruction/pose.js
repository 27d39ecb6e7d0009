/**
 * The pose on the bench: the network's own, what has been moved in it, and how far each of
 * its numbers may be moved.
 * @import { Decoded, Tensor, TraceOf } from "../../../types.js"
 * @import { MatrixModel, MatrixState } from "../types.js"
 */
import { focusedDigit } from "../../../core/state.js";
import { POSE } from "../places.js";

/** What a slider spans to either side where the model's card says nothing. */
export const FALLBACK = 2;

/**
 * @typedef {object} Bench
 * @property {number[]} original
 * @property {readonly number[]} edits differences from that
 * @property {number[]} pose their sum
 */

/**
 * @param {Pick<Tensor, "data">} poses (classes, 4, 4)
 * @param {number} digit
 * @param {readonly number[] | undefined} edits none when absent
 * @returns {Bench}
 */
export function benchOf({ data }, digit, edits) {
  const original = Array.from(data.subarray(digit * POSE, (digit + 1) * POSE));
  const moved = edits ?? original.map(() => 0);
  return { original, edits: moved, pose: original.map((value, i) => value + moved[i]) };
}

/**
 * What a slider spans: what test images use of that number, the network's value, and where
 * it has been moved.
 * @param {Pick<MatrixModel, "card">} model
 * @param {number} digit
 * @param {number} entry
 * @param {Bench} bench
 * @returns {[low: number, high: number]}
 */
export function spanOf({ card }, digit, entry, { original, pose }) {
  const own = original[entry];
  const used = card.pose_ranges?.[digit]?.[entry] ?? [own - FALLBACK, own + FALLBACK];
  const all = [...used, own, pose[entry]];
  return [Math.min(...all), Math.max(...all)];
}

/**
 * The picture of the class in focus, as its pose has been moved.
 * @param {Pick<MatrixState, "digit" | "edits" | "decoded"> & { trace: TraceOf<"classes.poses" | "reconstruction" | "scores"> }} state
 */
export function decodedNow({ trace, digit: chosen, edits, decoded }) {
  const { tensors, prediction } = trace;
  const digit = focusedDigit({ digit: chosen, trace });
  return pictureOf({
    own: tensors.reconstruction.data,
    isOwn: digit === prediction && edits[digit] === undefined,
    decoded,
    digit,
    pose: benchOf(tensors["classes.poses"], digit, edits[digit]).pose,
  });
}

/**
 * The picture that belongs to a pose.
 * @param {object} of
 * @param {Float32Array} of.own what the trace decoded: of the prediction, unedited
 * @param {boolean} of.isOwn whether that is the pose on the bench
 * @param {Decoded | null} of.decoded last
 * @param {number} of.digit on the bench
 * @param {readonly number[]} of.pose
 * @returns {{ data: Float32Array, isCurrent: boolean } | null} null: nothing of this class
 *   has been decoded yet
 */
export function pictureOf({ own, isOwn, decoded, digit, pose }) {
  if (isOwn) return { data: own, isCurrent: true };
  if (decoded?.digit !== digit) return null;
  return {
    data: decoded.data,
    isCurrent: pose.every((value, i) => value === decoded.pose[i]),
  };
}
