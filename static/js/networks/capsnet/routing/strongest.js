/**
 * Until somebody chooses a capsule, the one in focus is the one that gives the most to the
 * digit in focus.
 * @import { NetworkStore } from "../../../types.js"
 * @import { CapsNet, CapsState } from "../types.js"
 */
import { holds } from "../../../core/rooms.js";
import { focusedDigit } from "../../../core/state.js";
import { evidenceOfCapsules } from "./evidence.js";

const NEEDED = /** @type {const} */ ([
  "routing.couplings",
  "routing.agreement",
  "routing.capsules",
]);

/** @param {NetworkStore<CapsNet>} store */
export function keepStrongest(store) {
  store.watch(["followsStrongest", "capsule", "trace", "digit", "model"], (state) => {
    const capsule = state.followsStrongest ? strongestCapsule(state) : null;
    if (capsule !== null && capsule !== state.capsule) store.set({ capsule });
  });
}

/**
 * The capsule that gives the most to the digit in focus after the last iteration of the
 * intact run; the first of several.
 * @param {Pick<CapsState, "trace" | "digit" | "model">} state
 * @returns {number | null} null while it is not known how the image was routed
 */
export function strongestCapsule({ trace, digit, model }) {
  if (!holds(trace, model, NEEDED)) return null;
  const { tensors } = trace;
  const couplings = tensors["routing.couplings"];
  const routing = {
    couplings,
    agreement: tensors["routing.agreement"],
    capsules: tensors["routing.capsules"],
  };
  const last = couplings.shape[0] - 1;
  const gives = evidenceOfCapsules(routing, last, focusedDigit({ digit, trace }));
  return gives.reduce((best, gift, i) => (gift > gives[best] ? i : best), 0);
}
