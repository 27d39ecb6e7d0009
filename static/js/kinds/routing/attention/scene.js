/**
 * What the pictures of attention routing share: the run on show, the vote that is chosen in
 * it, and how that is chosen. While a run under surgery is on its way, the scene before
 * stays.
 * @import { Operable } from "../types.js"
 * @import { AttentionHand, AttentionRoom, AttentionScene, AttentionState, AttentionStore, AttentionTensors, PicturedRole } from "./types.js"
 */
import { holds } from "../../../core/rooms.js";
import { focusedClass } from "../../../core/state.js";
import { largestOf } from "../../../lib/arithmetic.js";
import { createScenes } from "../scenes.js";
import { runOf } from "../surgery/operated.js";
import { figuresOf } from "./sums.js";

/** What the pictures need, whatever run they show. @type {readonly PicturedRole[]} */
export const PICTURED = [
  "lengths",
  "poses",
  "votes",
  "attention",
  "agreement",
  "shares",
  "couplings",
  "capsules",
];

/** What surgery has to know of it. @type {Operable} */
export const OPERABLE = { pictured: PICTURED };

/** What makes another scene of it. */
const KEYS = /** @type {const} */ ([
  "tensors",
  "learned",
  "ran",
  "model",
  "classIndex",
  "capsule",
  "other",
  "entry",
]);

/** @param {AttentionStore} store what is on show, for all pictures */
export function scenesOf(store) {
  /** @param {AttentionState} state @returns {AttentionScene | null} */
  const sceneOf = (state) => {
    const { model, capsule, other, entry, weights: learned } = state;
    const run = runOf(state, OPERABLE);
    if (run === null) return null;
    const tensors = tensorsOf(run.trace);
    const classIndex = focusedClass(state);
    return {
      ...{ model, capsule, other, entry, learned, tensors, classIndex },
      ran: run.ran,
      pixels: run.trace.pixels,
      figures: figuresOf(tensors),
      name: model.class_names[classIndex],
    };
  };
  return createScenes(store, sceneOf, KEYS);
}

/** @param {{ tensors: unknown }} trace */
const tensorsOf = ({ tensors }) => /** @type {AttentionTensors} */ (tensors);

/**
 * @param {Pick<AttentionRoom, "store" | "actions">} room
 * @returns {AttentionHand}
 */
export function handOf({ store, actions }) {
  /** Chosen by hand, a capsule stays. @param {number} capsule */
  const chosen = (capsule) => ({ capsule, followsStrongest: false });
  return {
    vote: (capsule, classIndex) => store.set({ ...chosen(capsule), classIndex }),
    pair: (capsule, other) => store.set({ ...chosen(capsule), other }),
    entry: (entry) => store.set({ entry }),
    classIndex: actions.focusClass,
    operate: (surgery) => store.set({ surgery }),
  };
}

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
