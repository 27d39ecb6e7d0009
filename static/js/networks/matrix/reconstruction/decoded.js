/**
 * Has the pose on the bench decoded while Reconstruction is open.
 * @import { NetworkState, NetworkStore, Services } from "../../../types.js"
 * @import { Matrix, MatrixModel } from "../types.js"
 */
import { createDecoding } from "../../../core/decoding.js";
import { holds } from "../../../core/rooms.js";
import { focusedDigit } from "../../../core/state.js";
import { benchOf } from "./pose.js";

/** What a wish is made from. */
const WATCHED = /** @type {const} */ (["trace", "digit", "edits", "view", "model"]);

/** @typedef {{ model: MatrixModel, digit: number, pose: number[] }} Wish */

/**
 * @param {NetworkStore<Matrix>} store
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
 * The pose that is to be decoded anew: that of the class in focus, when it is edited or is
 * not the one that the trace was decoded from.
 * @param {Pick<NetworkState<Matrix>, typeof WATCHED[number]>} state
 * @returns {Wish | null}
 */
export function decodeWish({ trace, digit: chosen, edits, view, model }) {
  if (view !== "reconstruction" || !holds(trace, model, ["classes.poses"])) return null;
  const digit = focusedDigit({ digit: chosen, trace });
  if (digit === trace.prediction && edits[digit] === undefined) return null;
  const { pose } = benchOf(trace.tensors["classes.poses"], digit, edits[digit]);
  return { model, digit, pose };
}
