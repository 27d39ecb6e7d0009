/**
 * Two runs of one image: the trace is the run on stage, whatever was changed in it; here the
 * run with nothing changed is kept beside it, so that the two can be compared.
 * @import { AppState, Model, Options, Pixels, Services, Store, Trace } from "../types.js"
 */
import { debounce, latest } from "../lib/timing.js";
import { merged, optionsNow, TRACED } from "./live.js";
import { asSeenBy, isSamePass } from "./rooms.js";
import { SCORES } from "./scores.js";
import { EXPLORE, OVERVIEW } from "./state.js";

const QUIET_MS = 150; // while somebody draws, the run on stage is enough

/** @typedef {{ model: Model, pixels: Pixels, options: Options, names: string[] }} Wish */

/**
 * Keep the intact run: what was on show before something was changed, or what comes once the
 * image is at rest. With nothing changed any more it is the run on stage again, at once.
 * @param {Store<AppState>} store @param {Services} services
 */
export function keepIntact(store, { server, guarded }) {
  const ask = latest(
    guarded(async (/** @type {Wish} */ { model, pixels, names, options }) => {
      const run = await server.fetchTrace(model, pixels, names, options);
      const now = store.get();
      if (now.pixels !== pixels || now.model !== model) return; // changed meanwhile
      store.set({ intact: merged(now.intact, run) });
    }),
  );
  const askAtRest = debounce(() => {
    const wish = intactWish(store.get());
    if (wish !== null) ask(wish);
  }, QUIET_MS);
  store.watch([...TRACED, "intact"], () => {
    const state = store.get();
    const { intact, trace, pixels } = state;
    const passed = passes(state);
    if (passed === null) {
      if (intact !== null && pixels === null) store.set({ intact: null });
    } else if (!passed.isChanged) {
      if (intact !== null) store.set({ intact: null, ...backTo(state, passed) });
    } else if (isSamePass(trace, passed.unchanged) && !isSamePass(trace, intact))
      store.set({ intact: trace });
    else if (intactWish(state) !== null) askAtRest();
  });
}

/**
 * The intact run as the one on stage, where nothing is changed any more and it is of this image.
 * @param {Readonly<AppState>} state @param {{ unchanged: Pick<Trace, "model" | "pixels" | "options"> }} passed
 */
function backTo({ intact, pixels, model }, { unchanged }) {
  const isOwn = intact?.pixels === pixels && intact?.model === model?.id;
  return isOwn && isSamePass(intact, unchanged) ? { trace: intact } : {};
}

/**
 * The pass through the network that its state asks for, and the one with nothing changed.
 * @param {Readonly<AppState>} state
 */
function passes(state) {
  const { pixels, model, network } = state;
  const own = network && asSeenBy(network, state);
  if (pixels === null || model === null || !own) return null;
  const options = optionsNow(state);
  const usual = network.unchanged?.(own);
  const passOf = (/** @type {Options} */ asked) => ({
    model: model.id,
    pixels,
    options: asked,
  });
  const staged = passOf(options);
  if (usual === undefined) return { isChanged: false, unchanged: staged };
  const unchanged = passOf(network.options?.({ ...own, ...usual }) ?? {});
  return { isChanged: !isSamePass(staged, unchanged), unchanged };
}

/**
 * What must be asked so that the run on stage can be compared; null when nothing.
 * @param {Readonly<AppState>} state
 * @returns {Wish | null}
 */
export function intactWish(state) {
  const { model, pixels, network, intact, mode, view } = state;
  const passed = passes(state);
  if (!passed?.isChanged || model === null || pixels === null || mode !== EXPLORE)
    return null;
  const { compares = [] } =
    (view === OVERVIEW
      ? { compares: [SCORES, ...(network?.overview.needs ?? [])] }
      : network?.views.find(({ id }) => id === view)) ?? {};
  const known = isSamePass(intact, passed.unchanged) ? (intact?.tensors ?? {}) : {};
  const names = [...new Set(compares)].filter((name) => !(name in known));
  const { options } = passed.unchanged;
  return names.length === 0 ? null : { model, pixels, options, names };
}
