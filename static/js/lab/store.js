/**
 * The store as an experiment sees it.
 * @import { AnyExperiment, AppState, LabState, LabStore, Model } from "../types.js"
 * @import { Store } from "../core/store.js"
 */
import { experimentSlice, LAB, openExperiment, switchedOn } from "../core/lab.js";
import { focusedDigit, knownLabel } from "../core/state.js";
import { selector } from "../core/store.js";

/**
 * @template {object} Slice
 * @param {Store<AppState>} store
 * @param {AnyExperiment} experiment
 * @returns {LabStore<Slice>}
 */
export function labStore(store, experiment) {
  /** @type {readonly Model[]} */
  let networks = [];
  const own = selector(store, (state) => {
    const { mode, pixels, model } = state;
    if (mode !== LAB || openExperiment(state) !== experiment) return null;
    if (pixels === null || model === null) return null;
    networks = sameOr(networks, switchedOn(state));
    const slice = experimentSlice(state, experiment);
    return /** @type {LabState<Slice>} */ ({
      ...state,
      ...slice,
      pixels,
      model,
      networks,
      followed: followedClass(state),
    });
  });
  return {
    get: own.get,
    subscribe: own.subscribe,
    watch: own.watch,
    set(patch) {
      const state = store.get();
      const { slices } = state.lab;
      const slice = { ...experimentSlice(state, experiment), ...patch };
      store.set({
        lab: { ...state.lab, slices: { ...slices, [experiment.id]: slice } },
      });
    },
  };
}

/**
 * The class whose scores are followed: the one in focus, else the image's label, else what
 * the chosen network reads.
 * @param {Pick<AppState, "digit" | "source" | "model" | "trace">} state
 * @returns {number | null} null before the first answer
 */
export function followedClass({ digit, source, model, trace }) {
  const label = model === null ? null : knownLabel(source, model);
  const own = trace?.model === model?.id ? trace : null;
  return focusedDigit({ digit: digit ?? label, trace: own });
}

/**
 * The same list as before where it holds the same, so that nobody is called for nothing.
 * @template Item
 * @param {readonly Item[]} before
 * @param {readonly Item[]} now
 */
function sameOr(before, now) {
  const isSame =
    before.length === now.length && before.every((item, i) => item === now[i]);
  return isSame ? before : now;
}
