/**
 * What dynamic routing shows besides the trace: the capsule in focus, the votes, and tensors
 * so large that they come only once the image is at rest.
 * @import { KeepingStore, Layer, Services } from "../../types.js"
 * @import { RoutingModel } from "../types.js"
 * @import { DynamicState, RoutedTensors } from "./types.js"
 */
import { merged } from "../../../core/live.js";
import { holds, isSamePass } from "../../../core/rooms.js";
import { focusedClass } from "../../../core/state.js";
import { largestOf } from "../../../lib/arithmetic.js";
import { debounce, latest } from "../../../lib/timing.js";
import { originalOf } from "../../layer-state.js";
import { stagedOptions } from "../surgery/run.js";
import { hasNone } from "./ends.js";
import { evidenceOfCapsules } from "./sums.js";

/** What the pictures need, whatever run they show. */
export const PICTURED = /** @type {const} */ ([
  "lengths",
  "logits",
  "couplings",
  "agreement",
  "capsules",
]);

/** @typedef {KeepingStore<State>} Store */
/** @typedef {Omit<DynamicState, "trace"> & Pick<import("../../../types.js").AppState, "trace">} State whether or not all has come */

const QUIET_MS = 150;

/**
 * The capsule that gives the most to the class in focus after the last iteration of the
 * run on stage; the first of several.
 * @param {Pick<State, "trace" | "classIndex" | "model">} state
 * @returns {number | null} null while it is not known how the image was routed
 */
export function strongestCapsule({ trace, classIndex, model }) {
  if (!holds(trace, model, ["couplings", "agreement", "capsules"])) return null;
  const tensors = /** @type {RoutedTensors} */ (trace.tensors);
  const last = tensors.couplings.shape[0] - 1;
  const focus = focusedClass({ classIndex, trace });
  return largestOf(evidenceOfCapsules(tensors, last, focus));
}

/**
 * What comes with every image: what no class gets, where routing has none of the above.
 * @param {Pick<State, "view" | "model">} state
 * @param {Layer} layer
 * @returns {string[]}
 */
export function wanted(state, layer) {
  const isSeen = state.view === layer.id && hasNone(layer, state.model);
  return isSeen ? [layer.tensors.none] : [];
}

/**
 * The name of the votes for one class.
 * @param {Layer} layer @param {number} classIndex
 */
export const votesName = ({ tensors }, classIndex) => `${tensors.votes}.${classIndex}`;

/** Whether traces have the votes for each class. @param {Pick<Layer, "tensors">} layer */
export const hasVotes = ({ tensors }) => "votes" in tensors;

/** What a wish for large tensors is made from. */
const WATCHED = /** @type {const} */ ([
  "requests",
  "view",
  "trace",
  "intact",
  "surgery",
  "model",
]);

/** @typedef {{ model: RoutingModel, run: NonNullable<State["trace"]>, names: string[] }} More */

/**
 * Fetch what panels ask for on top of what the view needs.
 * @param {Store} store @param {Services} services @param {Layer} layer
 */
export function keepOnRequest(store, { server, guarded }, layer) {
  const ask = latest(
    guarded(async (/** @type {More} */ { model, run, names }) => {
      const { pixels, options } = run;
      const more = await server.fetchTrace(model, pixels, names, options);
      const now = store.get();
      if (now === null) return;
      const { trace } = now;
      // Another run may have come meanwhile; these tensors are none of its own.
      if (trace !== null && isSamePass(trace, more))
        store.set({ trace: merged(originalOf(trace), more) });
    }),
  );
  const askAtRest = debounce(() => {
    const state = store.get();
    const wish = state && askedWish(state, layer);
    if (wish) ask(wish);
  }, QUIET_MS);
  store.watch(WATCHED, () => {
    const state = store.get();
    if (state && askedWish(state, layer) !== null) askAtRest();
  });
}

/**
 * What the run on show still lacks; null when nothing.
 * @param {Pick<State, typeof WATCHED[number] | "pixels" | "iterations">} state
 * @param {Layer} layer
 * @returns {More | null} null too when the run is out of date: it is about to be replaced
 */
export function askedWish(state, layer) {
  const { model, view, pixels, trace: run, intact } = state;
  if (view !== layer.id || pixels === null) return null;
  const options = stagedOptions(state);
  if (run === null || !isSamePass(run, { model: model.id, pixels, options }))
    return null;
  const wanted = new Set(Object.values(state.requests).flat());
  // Surgery changes no vote, and nothing below: those of the intact run are those of any.
  const names = [...wanted].filter(
    (name) =>
      !(name in run.tensors) && !(intact?.pixels === pixels && name in intact.tensors),
  );
  return names.length === 0 ? null : { model, run, names };
}
