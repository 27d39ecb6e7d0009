/**
 * What traces of routing are asked with, and what was changed in one; and the capsule in
 * focus, which is the one that gives the most.
 * @import { KeepingStore, Layer, Model, Options, Trace } from "../../types.js"
 * @import { Pin, Surgery } from "../types.js"
 */
import { memoizeByObject } from "../../../lib/memoize.js";
import { isIntact, NO_SURGERY } from "./changes.js";

/** What the two runs are compared by. */
export const COMPARED = /** @type {const} */ (["scores", "decoded"]);

/**
 * What two runs of a network are compared by: all that its kind says, less what the layer
 * lacks, as one without a decoder does.
 * @param {Pick<Layer, "kind" | "tensors">} layer
 */
export const comparedIn = ({ kind: { compares = COMPARED }, tensors }) =>
  compares.filter((role) => role in tensors);

/**
 * Until somebody chooses a capsule, the one in focus is the one that gives the most to the
 * class in focus.
 * @param {KeepingStore<any>} store
 * @param {(state: any) => number | null} strongestCapsule null while it is not known
 */
export function keepStrongest(store, strongestCapsule) {
  store.watch(
    ["followsStrongest", "capsule", "trace", "classIndex", "model"],
    (state) => {
      const capsule = state.followsStrongest ? strongestCapsule(state) : null;
      if (capsule !== null && capsule !== state.capsule) store.set({ capsule });
    },
  );
}

/**
 * What the run on stage is asked with.
 * @param {{ iterations?: number, surgery?: Surgery, model: Model }} state
 * @returns {Options}
 */
export function stagedOptions({ iterations, surgery = NO_SURGERY, model }) {
  const { silenced: silence, routing, pins } = surgery;
  const usual = iterations !== undefined && runsAsAsked(model) ? { iterations } : {};
  if (isIntact(surgery)) return usual;
  return { ...usual, silence, routing, pin: pinsAsAsked(pins) };
}

/**
 * Whether a network runs as many iterations as it is asked for, and what is changed in them.
 * @param {Pick<Model, "routing_iterations">} model
 */
export const runsAsAsked = ({ routing_iterations: trained }) =>
  (trained ?? null) !== null;

/** Held couplings under the API's names; the same for the same, as passes are told apart. */
const pinsAsAsked = memoizeByObject(
  (/** @type {readonly Pin[]} */ pins) => pins,
  (pins) =>
    pins.map(({ capsule, classIndex, coupling }) => ({
      capsule,
      digit: classIndex,
      coupling,
    })),
);

/**
 * What was changed in a run.
 * @type {(trace: Pick<Trace, "options">) => Surgery} the same for the same
 */
export const ranIn = memoizeByObject(
  (/** @type {Pick<Trace, "options">} */ { options }) => options,
  ({ options }) => {
    const {
      silence = [],
      routing = "agreement",
      pin = [],
    } = /** @type {any} */ (options);
    const pins = pin.map((/** @type {any} */ { capsule, digit, coupling }) => ({
      capsule,
      classIndex: digit,
      coupling,
    }));
    return { silenced: silence, routing, pins };
  },
);
