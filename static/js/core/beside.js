/**
 * Keeps other networks' routing of the image on show, while a panel shows them.
 * @import { AppState, Beside, BesideRun, Model, Network, Pixels, RoutingForm, Services, Store } from "../types.js"
 */
import { shapeOf, sizeWords } from "../lib/pixels.js";
import { latest } from "../lib/timing.js";
import { EXPLORE, isUnfolded, panelId } from "./state.js";

/** @typedef {{ models: readonly Model[], pixels: Pixels }} BesideWish */

/** @type {Beside} */
const NOTHING = { runs: [], reason: "", tried: [] };

/** What a wish is made from. */
const WATCHED = /** @type {const} */ ([
  "mode",
  "view",
  "opened",
  "network",
  "model",
  "models",
  "pixels",
  "beside",
]);

/**
 * @param {Store<AppState>} store @param {Services} services
 * @param {(model: Model) => Promise<Network>} loadNetwork
 */
export function keepBeside(store, { server, guarded }, loadNetwork) {
  const ask = latest(
    guarded(async (/** @type {BesideWish} */ { models, pixels }) => {
      const found = await Promise.all(
        models.map(async (model) => {
          const form = await loadForm(model, loadNetwork);
          if (typeof form === "string") return { model, reason: form };
          // As its own page asks: with as many iterations as it was trained with.
          const trace = await server.fetchTrace(model, pixels, [...form.needs]);
          return { model, form, trace: /** @type {any} */ (trace) };
        }),
      );
      if (store.get().pixels === pixels)
        store.set({ beside: withFound(store.get().beside ?? NOTHING, found, pixels) });
    }),
  );
  store.watch(WATCHED, () => {
    const wish = besideWish(store.get());
    if (wish === null) return;
    if (typeof wish === "string") store.set({ beside: { ...NOTHING, reason: wish } });
    else ask(wish);
  });
}

/** @typedef {BesideRun | { model: Model, reason: string }} Found */

/**
 * @param {Beside} beside @param {readonly Found[]} found @param {Pixels} pixels
 * @returns {Beside} with what was found, without runs of other images
 */
function withFound({ runs, tried, reason }, found, pixels) {
  const come = found.flatMap((each) => ("form" in each ? [each] : []));
  const failed = found.flatMap((each) => ("reason" in each ? [each] : []));
  const kept = runs.filter(
    ({ model, trace }) =>
      trace.pixels === pixels && !found.some((each) => each.model === model),
  );
  const all = [...kept, ...come];
  return {
    runs: all,
    reason: all.length > 0 ? "" : (failed[0]?.reason ?? reason),
    tried: [...tried, ...failed.map(({ model }) => model)],
  };
}

/**
 * @param {Model} model @param {(model: Model) => Promise<Network>} loadNetwork
 * @returns {Promise<RoutingForm<string> | string>} or why there is none
 */
async function loadForm(model, loadNetwork) {
  try {
    const { routing } = await loadNetwork(model);
    if (routing !== undefined) return (await routing()).form;
    return `${model.title} does not describe its routing in terms that can be compared with another’s.`;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

/**
 * What must be asked so that all can be shown.
 * @param {Pick<AppState, typeof WATCHED[number]>} state
 * @returns {BesideWish | string | null} a sentence: why nothing can be; null: nothing to
 *   do
 */
export function besideWish(state) {
  const { mode, view, network, model, models, pixels, beside } = state;
  const panel = network?.views.find(({ id }) => id === view)?.beside;
  const isOpen = mode === EXPLORE && panel && isUnfolded(state, panelId(view, panel));
  if (!isOpen || model === null || pixels === null) return null;
  const others = othersOf(model, models);
  if (typeof others === "string")
    return beside?.runs.length === 0 && beside.reason === others ? null : others;
  const isKnown = (/** @type {Model} */ other) =>
    beside?.tried.includes(other) || // it cannot be had
    beside?.runs.some((run) => run.model === other && run.trace.pixels === pixels);
  const missing = others.filter((other) => !isKnown(other));
  return missing.length === 0 ? null : { models: missing, pixels };
}

/**
 * The models to set beside another: one of each other architecture, routing to the same
 * classes.
 * @param {Model} model @param {readonly Model[]} models
 * @returns {Model[] | string} or why there is none
 */
function othersOf(model, models) {
  const sizeOf = (/** @type {Model} */ each) => sizeWords(shapeOf(each));
  const others = models.filter(
    ({ architecture, can, class_names }) =>
      architecture !== model.architecture &&
      can.route &&
      class_names.join("\n") === model.class_names.join("\n"),
  );
  const [first] = others;
  if (first === undefined)
    return "There is nothing to compare this network with: no network of another kind is loaded that also routes and has the same classes.";
  const fitting = others.filter((other) => sizeOf(other) === sizeOf(model));
  if (fitting.length === 0)
    return `${first.title} reads images of ${sizeOf(first)} pixels and this network reads images of ${sizeOf(model)}, so they cannot read the same image.`;
  const { dataset } = model.card;
  const kinds = [...new Set(fitting.map(({ architecture }) => architecture))];
  return kinds.map((kind) => {
    const own = fitting.filter(({ architecture }) => architecture === kind);
    return own.find(({ card }) => card.dataset === dataset) ?? own[0];
  });
}
