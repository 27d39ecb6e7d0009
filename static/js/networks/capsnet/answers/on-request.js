/**
 * Fetches what panels ask for on top of what their view needs, what feeds the capsules of
 * the parse trees, the votes that are compared, and the votes while their picture is out of
 * sight: tensors so large that they come only once the image is at rest.
 * @import { NetworkState, NetworkStore, Services, Trace } from "../../../types.js"
 * @import { CapsModel, CapsNet } from "../types.js"
 */
import { merged } from "../../../core/live.js";
import { isSamePass } from "../../../core/rooms.js";
import { debounce, latest } from "../../../lib/timing.js";
import { isIntact } from "../routing/surgery/changes.js";
import { feedingWanted, votesPictured } from "../wants.js";
import { operatedOptions } from "./surgery.js";

const QUIET_MS = 150;

/** What a wish is made from. */
const WATCHED = /** @type {const} */ ([
  "asked",
  "view",
  "trace",
  "operated",
  "surgery",
  "showsOperated",
  "model",
  "digit",
  "seesVotes",
  "seesTree",
  "compares",
]);

/** @typedef {{ model: CapsModel, run: Trace, names: string[] }} Wish */

/**
 * @param {NetworkStore<CapsNet>} store
 * @param {Services} services
 */
export function keepOnRequest(store, { server, guarded }) {
  const ask = latest(
    guarded(async (/** @type {Wish} */ { model, run, names }) => {
      const { pixels, options } = run;
      const more = await server.fetchTrace(model, pixels, names, options);
      const now = store.get();
      if (now === null) return;
      const { trace, operated } = now;
      // Another run may have come meanwhile; these tensors are none of its own.
      if (isSamePass(trace, more)) store.set({ trace: merged(trace, more) });
      else if (operated !== null && isSamePass(operated, more))
        store.set({ operated: { ...operated, ...merged(operated, more) } });
    }),
  );
  const askAtRest = debounce(() => {
    const state = store.get();
    const wish = state && askedWish(state);
    if (wish) ask(wish);
  }, QUIET_MS);
  store.watch(WATCHED, () => {
    const state = store.get();
    if (state && askedWish(state) !== null) askAtRest();
  });
}

/**
 * What the run on show still lacks; null when nothing.
 * @param {Pick<NetworkState<CapsNet>, typeof WATCHED[number] | "pixels" | "iterations">} state
 * @returns {Wish | null} null too when the run is out of date: it is about to be replaced
 */
export function askedWish(state) {
  const { model, view, pixels, iterations, surgery, showsOperated } = state;
  if (view !== "routing" || pixels === null) return null;
  const isOperated = showsOperated && !isIntact(surgery);
  const run = isOperated ? state.operated : state.trace;
  const options = isOperated ? operatedOptions(state) : { iterations };
  if (run === null || !isSamePass(run, { model: model.id, pixels, options }))
    return null;
  const names = namesAsked(state).filter((name) => !(name in run.tensors));
  return names.length === 0 ? null : { model, run, names };
}

/**
 * @param {Pick<NetworkState<CapsNet>, "asked" | "seesVotes" | "seesTree" | "compares" | "trace" | "digit">} state
 * @returns {string[]}
 */
function namesAsked(state) {
  const { asked, seesVotes, compares, trace } = state;
  // Surgery changes no vote, and nothing below: those of the intact run are those of any.
  const unchanged = [
    ...(seesVotes ? [] : votesPictured(state)), // else they come with every image
    ...compares.map((digit) => `votes.${digit}`),
    ...feedingWanted(state),
  ].filter((name) => !(name in (trace?.tensors ?? {})));
  return [...new Set([...asked, ...unchanged])];
}
