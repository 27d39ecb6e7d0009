/**
 * Keeps the browser's address and history in step with the state.
 * @import { AppState, Model, Sample } from "./types.js"
 * @import { Linked } from "./link.js"
 * @import { Store } from "./store.js"
 */
import { AUTOMATIC } from "./lib/overrides.js";
import { fromHash, LINKED, toHash } from "./link.js";
import { NO_ANSWERS, VIEWS } from "./state.js";

/** Browsers refuse more than about 100 changes in 10 seconds. */
const QUIET_MS = 250;

/**
 * What the address says now.
 * @param {{ models: Model[], samples: Sample[] }} known
 */
export function readAddress(known) {
  return fromHash(location.hash, known);
}

/** The view that the address names: known before models and samples are. */
export function readView() {
  return fromHash(location.hash, { models: [], samples: [] }).view ?? VIEWS[0];
}

/**
 * Write every change into the address: a new view or image as a new entry of the
 * history, anything else into the present one. Back and pasted links change the state.
 * @param {Store<AppState>} store
 * @param {{ models: Model[], samples: Sample[] }} known
 */
export function keepAddress(store, known) {
  /** @type {Linked} */
  let written = store.get();
  let timer = 0;

  /** @param {boolean} isNewEntry */
  function write(isNewEntry) {
    clearTimeout(timer);
    const hash = `#${toHash(store.get())}`;
    if (hash === location.hash) return;
    if (isNewEntry) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  }

  store.watch(LINKED, (state) => {
    const before = written;
    written = state;
    clearTimeout(timer);
    if (isNewPlace(before, state)) write(true);
    else timer = setTimeout(write, QUIET_MS, false);
  });

  write(false); // so that Back to the very first place finds it
  window.addEventListener("popstate", () => {
    const linked = readAddress(known);
    const isOtherModel = linked.model && linked.model !== store.get().model;
    const isEmpty = linked.pixels === null;
    written = { ...store.get(), ...linked };
    store.set({
      ...linked,
      intake: null,
      overrides: AUTOMATIC,
      problem: null,
      ...(isEmpty && { trace: null, operated: null, decoded: null }),
      ...(isOtherModel && NO_ANSWERS),
    });
    clearTimeout(timer);
  });
}

/**
 * Whether Back should lead from `after` to `before`. Strokes of one drawing are one
 * place.
 * @param {Linked} before
 * @param {Linked} after
 */
export function isNewPlace(before, after) {
  if (before.view !== after.view || before.model !== after.model) return true;
  const isDrawing = before.source.kind === "drawing" && after.source.kind === "drawing";
  return before.source !== after.source && !isDrawing;
}
