/**
 * Keeps the answers on show those of the image on show: asks the server for what the
 * strip and the open view need, whenever image, model, iterations, view or edits change.
 * @import { AppState, Kernels, Model, Pixels, Trace, ViewName } from "./types.js"
 * @import { Store } from "./store.js"
 */
import * as api from "./api.js";
import { capsulePlace } from "./geometry/receptive-field.js";
import { latest } from "./lib/latest.js";
import { editedPose, poseOf } from "./lib/pose.js";
import { focusedDigit, sizesOf } from "./state.js";

/** What the strip, and the verdict beside the drawing, are drawn from. */
const ALWAYS = [
  "conv1.glimpse",
  "primary.lengths",
  "routing.types",
  "digits.capsules",
  "digits.lengths",
  "reconstruction",
];

/** What a view needs on top; it is fetched while that view is open. */
/** @type {Record<ViewName, string[]>} */
export const NEEDED = {
  input: [],
  conv1: ["conv1.pre"], // and ReLU is done here: the same numbers, half the way
  primary: ["primary.pre", "primary.capsules", "conv1.relu"],
  routing: [
    "routing.couplings",
    "routing.logits",
    "routing.agreement",
    "routing.capsules",
  ],
  digits: ["routing.capsules"],
  reconstruction: [],
};

/**
 * @typedef {{ model: Model, pixels: Pixels, iterations: number, names: string[] }} TraceWish
 * @typedef {{ model: Model, digit: number, pose: number[] }} DecodeWish
 * @typedef {{ model: Model, type: number }} PrimaryKernelsWish
 */

/** @param {Store<AppState>} store */
export function keepLive(store) {
  const askTrace = latest(
    guarded(store, (/** @type {TraceWish} */ wish) => answerTrace(store, wish)),
  );
  const askDecoded = latest(
    guarded(store, (/** @type {DecodeWish} */ wish) => answerDecoded(store, wish)),
  );
  const askKernels = latest(
    guarded(store, (/** @type {Model} */ model) => answerKernels(store, model)),
  );
  const askPrimaryKernels = latest(
    guarded(store, (/** @type {PrimaryKernelsWish} */ wish) =>
      answerPrimaryKernels(store, wish),
    ),
  );

  store.watch(
    ["pixels", "model", "iterations", "view", "trace", "digit", "seesVotes"],
    (state) => {
      const wish = traceWish(state);
      if (wish !== null) askTrace(wish);
    },
  );
  store.watch(["model"], ({ model }) => {
    if (model !== null) askKernels(model);
  });
  store.watch(["model", "view", "capsule", "primaryKernels"], (state) => {
    const wish = primaryKernelsWish(state);
    if (wish !== null) askPrimaryKernels(wish);
  });
  store.watch(["trace", "digit", "edits", "view", "model"], (state) => {
    const wish = decodeWish(state);
    if (wish !== null) askDecoded(wish);
  });
}

/**
 * What must be asked so that the open view can be drawn; null when nothing.
 * @param {Pick<AppState, "pixels" | "model" | "iterations" | "view" | "trace" | "digit" | "seesVotes">} state
 * @returns {TraceWish | null}
 */
export function traceWish(state) {
  const { pixels, model, iterations, trace } = state;
  if (pixels === null || model === null) return null;
  const needed = neededTensors(state);
  const isCurrent =
    trace !== null &&
    trace.pixels === pixels &&
    trace.model === model.id &&
    trace.iterations === iterations;
  const names = isCurrent ? needed.filter((name) => !(name in trace.tensors)) : needed;
  return names.length === 0 ? null : { model, pixels, iterations, names };
}

/**
 * The tensors that the strip and the open view are drawn from.
 * @param {Pick<AppState, "view" | "trace" | "digit" | "seesVotes">} state
 * @returns {string[]}
 */
export function neededTensors(state) {
  return [...ALWAYS, ...NEEDED[state.view], ...votesWanted(state)];
}

/**
 * The votes for the digit in focus, while their picture is on the screen: ten times as
 * many would come for all digits.
 * @param {Pick<AppState, "view" | "trace" | "digit" | "seesVotes">} state
 * @returns {string[]}
 */
export function votesWanted(state) {
  const digit = focusedDigit(state);
  const isWanted = state.view === "routing" && state.seesVotes && digit !== null;
  return isWanted ? [`votes.${digit}`] : [];
}

/**
 * @param {Store<AppState>} store
 * @param {TraceWish} wish
 */
async function answerTrace(store, { model, pixels, iterations, names }) {
  const answer = await api
    .fetchTrace(model, pixels, iterations, names)
    .catch((error) => {
      // Better no answer on show than that to another image.
      if (store.get().trace?.pixels !== pixels) store.set({ trace: null });
      throw error;
    });
  const now = store.get();
  const isUnwanted = now.pixels === null || now.model !== model; // changed meanwhile
  if (!isUnwanted) store.set({ trace: merged(now.trace, answer), problem: null });
}

/**
 * One trace of both when they are of the same pass; else the newer one.
 * @param {Trace | null} before
 * @param {Trace} after
 * @returns {Trace}
 */
export function merged(before, after) {
  return isSamePass(before, after)
    ? { ...after, tensors: { ...before.tensors, ...after.tensors } }
    : after;
}

/**
 * @param {Trace | null} before
 * @param {Trace} after
 * @returns {before is Trace}
 */
export function isSamePass(before, after) {
  return (
    before !== null &&
    before.pixels === after.pixels &&
    before.model === after.model &&
    before.iterations === after.iterations &&
    before.surgery === after.surgery
  );
}

/**
 * The capsule that is to be decoded anew: that of the digit in focus, when it is edited
 * or is not the one that the trace was decoded from.
 * @param {Pick<AppState, "trace" | "digit" | "edits" | "view" | "model">} state
 * @returns {DecodeWish | null}
 */
export function decodeWish(state) {
  const { trace, edits, view, model } = state;
  const digit = focusedDigit(state);
  if (view !== "reconstruction" || trace === null || model === null || digit === null)
    return null;
  if (trace.model !== model.id) return null;
  const differences = edits[digit];
  if (digit === trace.prediction && differences === undefined) return null;
  const original = poseOf(trace.tensors["digits.capsules"], digit);
  return { model, digit, pose: editedPose(original, differences) };
}

/**
 * @param {Store<AppState>} store
 * @param {DecodeWish} wish
 */
async function answerDecoded(store, { model, digit, pose }) {
  const images = await api.fetchReconstructions(model, digit, [pose]);
  if (store.get().model === model) {
    store.set({ decoded: { digit, pose, data: images.data } });
  }
}

/**
 * @param {Store<AppState>} store
 * @param {Model} model
 */
async function answerKernels(store, model) {
  /** @type {Kernels} */
  const kernels = await api.fetchKernels(model);
  if (store.get().model === model) store.set({ kernels });
}

/**
 * The kernels of the chosen capsule's type, while that capsule is looked at.
 * @param {Pick<AppState, "model" | "view" | "capsule" | "primaryKernels">} state
 * @returns {PrimaryKernelsWish | null}
 */
export function primaryKernelsWish({ model, view, capsule, primaryKernels }) {
  if (view !== "primary" || model === null) return null;
  const { type } = capsulePlace(sizesOf(model), capsule);
  const isHere = primaryKernels?.model === model.id && primaryKernels.type === type;
  return isHere ? null : { model, type };
}

/**
 * @param {Store<AppState>} store
 * @param {PrimaryKernelsWish} wish
 */
async function answerPrimaryKernels(store, { model, type }) {
  const primaryKernels = await api.fetchPrimaryKernels(model, type);
  if (store.get().model === model) store.set({ primaryKernels });
}

/**
 * Count what is awaited, and turn failures into words on the page.
 * @template Wish
 * @param {Store<AppState>} store
 * @param {(wish: Wish) => Promise<void>} job
 */
export function guarded(store, job) {
  return async (/** @type {Wish} */ wish) => {
    store.set({ waiting: store.get().waiting + 1 });
    try {
      await job(wish);
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      store.set({ problem: error.message });
    } finally {
      store.set({ waiting: store.get().waiting - 1 });
    }
  };
}
