/**
 * Keeps another network's routing of the image on show, while a panel shows both.
 * @import { AppState, Model, Network, Pixels, Services, Store } from "../types.js"
 */
import { shapeOf, sizeWords } from "../lib/pixels.js";
import { latest } from "../lib/timing.js";
import { EXPLORE, isUnfolded, panelId } from "./state.js";

/** @typedef {{ model: Model, pixels: Pixels }} BesideWish */

/** What a wish is made from. */
const WATCHED = /** @type {const} */ ([
  "mode",
  "view",
  "opened",
  "isPrinting",
  "isPresenting",
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
    guarded(async (/** @type {BesideWish} */ { model, pixels }) => {
      const form = await loadForm(model, loadNetwork);
      if (typeof form === "string")
        return store.set({ beside: { model: null, reason: form, tried: model } });
      // As its own page asks: with as many iterations as it was trained with.
      const trace = /** @type {any} */ (
        await server.fetchTrace(model, pixels, [...form.needs])
      );
      if (store.get().pixels === pixels) store.set({ beside: { model, form, trace } });
    }),
  );
  store.watch(WATCHED, () => {
    const wish = besideWish(store.get());
    if (wish === null) return;
    if (typeof wish === "string")
      store.set({ beside: { model: null, reason: wish, tried: null } });
    else ask(wish);
  });
}

/**
 * @param {Model} model @param {(model: Model) => Promise<Network>} loadNetwork
 * @returns {Promise<import("../types.js").RoutingForm<string> | string>} or why there is none
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
 * What must be asked so that both can be shown.
 * @param {Pick<AppState, typeof WATCHED[number]>} state
 * @returns {BesideWish | string | null} a sentence: why nothing can be; null: nothing to
 *   do
 */
export function besideWish(state) {
  const { mode, view, network, model, models, pixels, beside } = state;
  const panel = network?.views.find(({ id }) => id === view)?.beside;
  const isOpen = mode === EXPLORE && panel && isUnfolded(state, panelId(view, panel));
  if (!isOpen || model === null || pixels === null) return null;
  const other = otherOf(model, models);
  if (typeof other === "string")
    return beside?.model === null && beside.reason === other ? null : other;
  if (beside?.model === null && beside.tried === other) return null; // it cannot be had
  const isKnown = beside?.model === other && beside.trace.pixels === pixels;
  return isKnown ? null : { model: other, pixels };
}

/**
 * The model to set beside another: of another architecture, routing to the same classes.
 * @param {Model} model @param {readonly Model[]} models
 * @returns {Model | string} or why there is none
 */
function otherOf(model, models) {
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
  return fitting.find(({ card }) => card.dataset === dataset) ?? fitting[0];
}
