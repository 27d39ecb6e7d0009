/**
 * Keeps the run under surgery that of the image on show, while Routing is open: there it
 * stands beside the intact run.
 * @import { NetworkState, NetworkStore, Options, Pixels, Services } from "../../../types.js"
 * @import { CapsModel, CapsNet, Surgery } from "../types.js"
 */
import { merged } from "../../../core/live.js";
import { isSamePass } from "../../../core/rooms.js";
import { latest } from "../../../lib/timing.js";
import { isIntact } from "../routing/surgery/changes.js";
import { votesWanted } from "../wants.js";

/** What the two runs are compared by. */
export const COMPARED = /** @type {const} */ ([
  "digits.capsules",
  "digits.lengths",
  "reconstruction",
]);

/** What the pictures of routing need, when they show this run. */
export const PICTURED = /** @type {const} */ ([
  "primary.lengths",
  "routing.logits",
  "routing.couplings",
  "routing.agreement",
  "routing.capsules",
]);

/** What a wish is made from. */
const WATCHED = /** @type {const} */ ([
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
]);

/**
 * @typedef {object} Wish
 * @property {CapsModel} model
 * @property {Pixels} pixels
 * @property {Options} options
 * @property {Surgery} surgery
 * @property {string[]} names
 */

/**
 * @param {NetworkStore<CapsNet>} store
 * @param {Services} services
 */
export function keepOperated(store, { server, guarded }) {
  const ask = latest(
    guarded(async (/** @type {Wish} */ { model, pixels, options, surgery, names }) => {
      const run = await server
        .fetchTrace(model, pixels, names, options)
        .catch((error) => {
          // Better no run on show than that of another image.
          if (store.get()?.operated?.pixels !== pixels) store.set({ operated: null });
          throw error;
        });
      const now = store.get();
      if (now === null || now.pixels === null || now.model !== model) return; // changed
      const operated = merged(now.operated, { ...run, surgery });
      store.set({ operated, problem: null });
    }),
  );
  store.watch(WATCHED, (state) => {
    const isGone = isIntact(state.surgery) || state.pixels === null;
    if (isGone && state.operated !== null) store.set({ operated: null });
    const wish = operatedWish(state);
    if (wish !== null) ask(wish);
  });
}

/**
 * What must be asked so that the run under surgery can be shown; null when nothing.
 * @param {Pick<NetworkState<CapsNet>, typeof WATCHED[number]>} state
 * @returns {Wish | null}
 */
export function operatedWish(state) {
  const { pixels, model, surgery, operated } = state;
  const isWanted = state.view === "routing" && !isIntact(surgery);
  if (!isWanted || pixels === null) return null;
  const needed = state.showsOperated
    ? [...COMPARED, ...PICTURED, ...votesWanted(state)]
    : COMPARED;
  const options = operatedOptions(state);
  const isKnown = isSamePass(operated, { model: model.id, pixels, options });
  const known = isKnown && operated !== null ? operated.tensors : {};
  const names = needed.filter((name) => !(name in known));
  return names.length === 0 ? null : { model, pixels, options, surgery, names };
}

/**
 * What a run under surgery is asked with.
 * @param {Pick<NetworkState<CapsNet>, "iterations" | "surgery">} state
 * @returns {Options}
 */
export function operatedOptions({ iterations, surgery }) {
  const { silenced: silence, routing, pins: pin } = surgery;
  return { iterations, silence, routing, pin };
}
