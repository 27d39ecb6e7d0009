/**
 * Keeps the run under surgery that of the image on show, while Routing is open: there it
 * stands beside the intact run.
 * @import { AppState, Model, Pixels, Surgery } from "./types.js"
 * @import { Store } from "./store.js"
 */
import { fetchTrace } from "./api.js";
import { latest } from "./lib/latest.js";
import { isIntact } from "./lib/surgery.js";
import { guarded, merged, NEEDED, votesWanted } from "./live.js";
import { isCurrent } from "./state.js";

/** What the two runs are compared by. */
const COMPARED = ["digits.capsules", "digits.lengths", "reconstruction"];

/** What the pictures of routing need, when they show this run. */
const PICTURED = ["primary.lengths", ...NEEDED.routing];

/**
 * @typedef {object} Wish
 * @property {Model} model
 * @property {Pixels} pixels
 * @property {number} iterations
 * @property {Surgery} surgery
 * @property {string[]} names
 */

/** @param {Store<AppState>} store */
export function keepOperated(store) {
  const ask = latest(guarded(store, (/** @type {Wish} */ wish) => answer(store, wish)));
  store.watch(
    [
      "pixels",
      "model",
      "iterations",
      "view",
      "surgery",
      "showsOperated",
      "operated",
      "trace",
      "digit",
      "seesVotes",
    ],
    (state) => {
      if (isIntact(state.surgery) && state.operated !== null)
        store.set({ operated: null });
      const wish = operatedWish(state);
      if (wish !== null) ask(wish);
    },
  );
}

/**
 * What must be asked so that the run under surgery can be shown; null when nothing.
 * @param {Pick<AppState, "pixels" | "model" | "iterations" | "view" | "surgery" | "showsOperated" | "operated" | "trace" | "digit" | "seesVotes">} state
 * @returns {Wish | null}
 */
export function operatedWish(state) {
  const { pixels, model, iterations, surgery, operated } = state;
  const isWanted = state.view === "routing" && !isIntact(surgery);
  if (!isWanted || pixels === null || model === null) return null;
  const needed = state.showsOperated
    ? [...COMPARED, ...PICTURED, ...votesWanted(state)]
    : COMPARED;
  const isKnown = isCurrent(operated, state) && operated.surgery === surgery;
  const known = isKnown ? operated.tensors : {};
  const names = needed.filter((name) => !(name in known));
  return names.length === 0 ? null : { model, pixels, iterations, surgery, names };
}

/**
 * @param {Store<AppState>} store
 * @param {Wish} wish
 */
async function answer(store, { model, pixels, iterations, surgery, names }) {
  const run = await fetchTrace(model, pixels, iterations, names, surgery).catch(
    (error) => {
      // Better no run on show than that of another image.
      if (store.get().operated?.pixels !== pixels) store.set({ operated: null });
      throw error;
    },
  );
  const now = store.get();
  const isUnwanted = now.pixels === null || now.model !== model; // changed meanwhile
  if (!isUnwanted) store.set({ operated: merged(now.operated, run), problem: null });
}
