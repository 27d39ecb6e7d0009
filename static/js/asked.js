/**
 * Fetches what open panels ask for on top of what their view needs: tensors so large that
 * they come only once the image is at rest.
 * @import { AppState, Model, Trace } from "./types.js"
 * @import { Store } from "./store.js"
 */
import { fetchTrace } from "./api.js";
import { atRest } from "./lib/at-rest.js";
import { latest } from "./lib/latest.js";
import { isIntact } from "./lib/surgery.js";
import { guarded, isSamePass, merged } from "./live.js";
import { isCurrent } from "./state.js";

const QUIET_MS = 150;

/** @typedef {{ model: Model, run: Trace, names: string[] }} Wish */

/** @param {Store<AppState>} store */
export function keepAsked(store) {
  const ask = latest(guarded(store, (/** @type {Wish} */ wish) => answer(store, wish)));
  const askAtRest = atRest(() => {
    const wish = askedWish(store.get());
    if (wish !== null) ask(wish);
  }, QUIET_MS);
  store.watch(
    ["asked", "view", "trace", "operated", "surgery", "showsOperated", "model"],
    () => {
      if (askedWish(store.get()) !== null) askAtRest();
    },
  );
}

/**
 * What the run on show still lacks; null when nothing.
 * @param {Pick<AppState, "asked" | "view" | "trace" | "operated" | "surgery" | "showsOperated" | "pixels" | "iterations" | "model">} state
 * @returns {Wish | null} null too when the run is out of date: it is about to be replaced
 */
export function askedWish(state) {
  const { model, asked, view, trace, operated, surgery, showsOperated } = state;
  const run = showsOperated && !isIntact(surgery) ? operated : trace;
  if (view !== "routing" || model === null || !isCurrent(run, state)) return null;
  const names = asked.filter((name) => !(name in run.tensors));
  return names.length === 0 ? null : { model, run, names };
}

/**
 * @param {Store<AppState>} store
 * @param {Wish} wish
 */
async function answer(store, { model, run, names }) {
  const { pixels, iterations, surgery } = run;
  const more = await fetchTrace(model, pixels, iterations, names, surgery);
  const { trace, operated } = store.get();
  // Another run may have come meanwhile; these tensors are none of its own.
  if (isSamePass(trace, more)) store.set({ trace: merged(trace, more) });
  else if (isSamePass(operated, more)) store.set({ operated: merged(operated, more) });
}
