/**
 * Keeps the trace that of the image on show: asks the server for what the strip, the
 * verdict and the open view are drawn from, whenever one of them needs more.
 * @import { AppState, Model, Options, Pixels, Services, Store, Trace } from "../types.js"
 */
import { latest } from "../lib/timing.js";
import * as api from "./api.js";
import { ApiError } from "./connection.js";
import { asSeenBy, isSamePass } from "./rooms.js";
import { SCORES } from "./scores.js";
import { COMPARE, EXPLORE, OVERVIEW } from "./state.js";

/**
 * @typedef {object} TraceWish
 * @property {Model} model
 * @property {Pixels} pixels
 * @property {Options} options
 * @property {string[]} names
 * @property {boolean} isWhole whether nothing of this pass is known yet
 */

/** What a wish for a trace is made from. */
export const TRACED = /** @type {const} */ ([
  "pixels",
  "model",
  "network",
  "slices",
  "mode",
  "view",
  "classIndex",
  "trace",
]);

/** @param {Store<AppState>} store @param {Pick<Services, "guarded">} services */
export function keepLive(store, { guarded }) {
  /** @type {TraceWish | null} */
  let newest = null;
  const ask = latest(
    guarded(async (/** @type {TraceWish} */ wish) => {
      try {
        await answer(store, wish);
      } finally {
        if (newest === wish) newest = null;
      }
    }),
  );
  store.watch(TRACED, () => {
    const wish = traceWish(store.get());
    // A network's slice changes for many reasons, few of which ask for another trace.
    if (wish === null || isSameWish(wish, newest)) return;
    newest = wish;
    ask(wish);
  });
}

/** @param {TraceWish} wish @param {TraceWish | null} other */
function isSameWish(wish, other) {
  const passOf = (/** @type {TraceWish} */ { model, pixels, options }) => ({
    model: model.id,
    pixels,
    options,
  });
  return (
    other !== null &&
    isSamePass(passOf(wish), passOf(other)) &&
    wish.names.join() === other.names.join()
  );
}

/**
 * What must be asked so that the open view can be drawn; null when nothing.
 * @param {Readonly<AppState>} state
 * @returns {TraceWish | null}
 */
export function traceWish(state) {
  const { pixels, model, network, trace } = state;
  if (pixels === null || model === null || network === null) return null;
  const options = optionsNow(state);
  const needed = neededTensors(state);
  const isWhole = !isSamePass(trace, { model: model.id, pixels, options });
  const known = isWhole || trace === null ? {} : trace.tensors;
  const names = needed.filter((name) => !(name in known));
  return names.length === 0 ? null : { model, pixels, options, names, isWhole };
}

/**
 * What traces are asked with, as the chosen network says.
 * @param {Readonly<AppState>} state
 * @returns {Options}
 */
export function optionsNow(state) {
  const { network } = state;
  const own = network && asSeenBy(network, state);
  return (own && network.options?.(own)) ?? {};
}

/**
 * The tensors that the verdict, the strip and the open view are drawn from; in other modes
 * than Explore, which have neither strip nor views, the verdict alone.
 * @param {Readonly<AppState>} state
 * @returns {string[]} each once; none before a network is chosen
 */
export function neededTensors(state) {
  const { model, network, mode, view } = state;
  const own = network && asSeenBy(network, state);
  if (model === null || !own) return [];
  if (mode !== EXPLORE) return [SCORES];
  const open =
    { [COMPARE]: network.comparison, [OVERVIEW]: network.overview }[view] ??
    network.views.find(({ id }) => id === view);
  return [
    ...new Set([
      SCORES,
      ...network.views.flatMap(({ thumbnail }) => thumbnail.needs),
      ...(open?.needs ?? []),
      ...(network.wants?.(own) ?? []),
    ]),
  ];
}

/** @param {Store<AppState>} store @param {TraceWish} wish */
async function answer(store, { model, pixels, options, names, isWhole }) {
  const found = await api.fetchTrace(model, pixels, names, options).catch((error) => {
    // Better no answer on show than that to another image.
    if (store.get().trace?.pixels !== pixels) store.set({ trace: null });
    throw error;
  });
  const now = store.get();
  const isUnwanted = now.pixels === null || now.model !== model; // changed meanwhile
  // A part of an earlier pass must not take the place of a newer one.
  const isLate = !isWhole && !isSamePass(now.trace, found);
  if (!isUnwanted && !isLate)
    store.set({ trace: merged(now.trace, found), problem: null });
}

/**
 * One trace of both when they are of the same pass; else the newer one.
 * @template {Trace} Run
 * @param {Run | null} before
 * @param {Run} after
 * @returns {Run}
 */
export function merged(before, after) {
  return isSamePass(before, after)
    ? { ...after, tensors: { ...before?.tensors, ...after.tensors } }
    : after;
}

/**
 * What networks may ask of the server and of the page. What is under way is counted beside
 * the store, so that a question is no change of the state.
 * @param {Store<AppState>} store
 * @param {(isBusy: boolean) => void} [tellBusy] called when the first job begins, and when
 *   the last has ended
 * @returns {Services}
 */
export function createServices(store, tellBusy = () => {}) {
  let underWay = 0;

  /** @type {Services["during"]} */
  async function during(job) {
    if (++underWay === 1) tellBusy(true);
    try {
      return await job();
    } finally {
      if (--underWay === 0) tellBusy(false);
    }
  }

  /** @type {Services["guarded"]} */
  const guarded = (job) => {
    /** What the job said of its last wish. @type {string | null} */
    let said = null;
    return (wish) =>
      during(async () => {
        try {
          await job(wish);
          if (said !== null && store.get().problem === said)
            store.set({ problem: null });
          said = null;
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          said = error.message;
          store.set({ problem: said });
        }
      });
  };
  return { server: api, during, guarded };
}
