/**
 * Has the capsule in focus decoded while Reconstruction is open.
 * @import { NetworkState, NetworkStore, Services, TraceOf } from "../../../types.js"
 * @import { CapsModel, CapsNet } from "../types.js"
 */
import { createDecoding } from "../../../core/decoding.js";
import { holds } from "../../../core/rooms.js";
import { focusedDigit } from "../../../core/state.js";
import { editedPose, poseOf } from "../reconstruction/pose.js";

/** @typedef {{ model: CapsModel, digit: number, pose: number[] }} Wish */

/** What a wish is made from. */
const WATCHED = /** @type {const} */ (["trace", "digit", "edits", "view", "model"]);

/**
 * @param {NetworkStore<CapsNet>} store
 * @param {Services} services
 */
export function keepDecoded(store, services) {
  const ask = createDecoding(store, services);
  store.watch(WATCHED, (state) => {
    const wish = decodeWish(state);
    if (wish !== null) ask(wish);
  });
  store.watch(["pixels"], ({ pixels }) => {
    if (pixels === null) store.set({ decoded: null });
  });
}

/**
 * The capsule that is to be decoded anew: that of the digit in focus, when it is edited
 * or is not the one that the trace was decoded from.
 * @param {Pick<NetworkState<CapsNet>, typeof WATCHED[number]>} state
 * @returns {Wish | null}
 */
export function decodeWish({ trace, digit: chosen, edits, view, model }) {
  if (view !== "reconstruction") return null;
  if (!holds(trace, model, ["digits.capsules"])) return null;
  const digit = focusedDigit({ digit: chosen, trace });
  const differences = edits[digit];
  if (digit === trace.prediction && differences === undefined) return null;
  const original = poseOf(trace.tensors["digits.capsules"], digit);
  return { model, digit, pose: editedPose(original, differences) };
}
