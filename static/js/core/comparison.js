/**
 * Fetches the kept image's trace from the chosen network while that image is compared with
 * the one on show. Comparisons get a store that holds both traces.
 * @import { AppState, ComparedState, ComparedStore, Kept, Model, Network, NetworkState, NetworkStore, Options, Services, Store } from "../types.js"
 */
import { latest } from "../lib/timing.js";
import { merged, neededTensors, optionsNow, TRACED } from "./live.js";
import { holds, isSamePass } from "./rooms.js";
import { SCORES } from "./scores.js";
import { COMPARE } from "./state.js";
import { selector } from "./store.js";

/**
 * @typedef {object} KeptWish
 * @property {Model} model
 * @property {Kept} kept
 * @property {Options} options
 * @property {string[]} names
 */

/** @param {Store<AppState>} store @param {Services} services */
export function keepCompared(store, { server, guarded }) {
  const ask = latest(
    guarded(async (/** @type {KeptWish} */ { model, kept, options, names }) => {
      const found = await server.fetchTrace(model, kept.pixels, names, options);
      const now = store.get();
      if (now.model !== model || now.kept?.pixels !== kept.pixels) return; // changed
      store.set({ keptTrace: merged(now.keptTrace, found) });
    }),
  );
  store.watch([...TRACED, "kept", "keptTrace"], () => {
    const wish = keptWish(store.get());
    if (wish !== null) ask(wish);
  });
}

/**
 * What must be asked so that the kept image can be compared; null when nothing.
 * @param {Readonly<AppState>} state
 * @returns {KeptWish | null}
 */
export function keptWish(state) {
  const { kept, keptTrace, model, view } = state;
  if (view !== COMPARE || kept === null || model === null) return null;
  const options = optionsNow(state);
  const isKnown = isSamePass(keptTrace, {
    model: model.id,
    pixels: kept.pixels,
    options,
  });
  const known = isKnown && keptTrace !== null ? keptTrace.tensors : {};
  // As many as of the image on show, so that the two can change places.
  const names = neededTensors(state).filter((name) => !(name in known));
  return names.length === 0 ? null : { model, kept, options, names };
}

/**
 * What a network's comparison is drawn from: nothing, until both traces are those of the
 * two images and hold what the network declared.
 * @param {NetworkStore} store @param {Pick<Network, "comparison">} network
 * @returns {ComparedStore}
 */
export function comparedStore(store, { comparison }) {
  const needs = [SCORES, ...(comparison?.needs ?? [])];
  return selector(store, (state) => compared(state, needs));
}

/**
 * @param {NetworkState} state @param {readonly string[]} needs
 * @returns {ComparedState | null}
 */
function compared(state, needs) {
  const { view, model, kept, keptTrace, trace, pixels } = state;
  if (view !== COMPARE || kept === null) return null;
  if (!holds(trace, model, needs) || !holds(keptTrace, model, needs)) return null;
  const isOwn = trace.pixels === pixels && keptTrace.pixels === kept.pixels;
  const isAlike = isSamePass({ ...keptTrace, pixels: trace.pixels }, trace);
  return isOwn && isAlike
    ? /** @type {ComparedState} */ ({ ...state, trace, kept, keptTrace })
    : null;
}
