/**
 * Fetches what layers have learned, and what was measured on the network, when a view first
 * needs it.
 * @import { Layer, Model, NetworkStore, Services } from "./types.js"
 */
import { OVERVIEW } from "../core/state.js";
import { latest } from "../lib/timing.js";
import { glanceOf, MEASURED, WEIGHTS } from "./layer-state.js";
import { isSought, wasMeasured } from "./sought.js";

/**
 * Fetch what layers have learned, each tensor once for a model, when a view first needs it.
 * @param {readonly Layer[]} layers @param {NetworkStore} store
 * @param {Services} services
 */
export function keepWeights(layers, store, { server, guarded }) {
  const ask = latest(
    guarded(
      async (/** @type {{ model: Model, names: string[] }} */ { model, names }) => {
        const tensors = await Promise.all(
          names.map(async (name) => {
            const tensors = await server.fetchOwnTensors(model, `weights/${name}`);
            return [name, tensors[name]];
          }),
        );
        store.keep(model, (slice) => ({
          [WEIGHTS]: { ...slice[WEIGHTS], ...Object.fromEntries(tensors) },
        }));
      },
    ),
  );
  store.watch(["model", "view", WEIGHTS], (state) => {
    const open = layers.find(({ id }) => id === state.view);
    const missing = Object.values(open?.weights ?? {}).filter(
      (name) => state[WEIGHTS][name] === undefined,
    );
    if (missing.length > 0) ask({ model: state.model, names: missing });
  });
}

/**
 * Fetch what was measured, each part once for a model, when a view first needs it; for the
 * Overview the pictures that it shows.
 * @param {readonly Layer[]} layers @param {NetworkStore} store
 * @param {Services} services
 */
export function keepMeasured(layers, store, { server, guarded }) {
  const ask = latest(
    guarded(
      async (
        /** @type {{ model: Model, part: string, isGlance: boolean }} */ request,
      ) => {
        const { model, part, isGlance } = request;
        const path = `measured/${part}`;
        const query = isGlance ? { glance: "true" } : undefined;
        const tensors = await server.fetchOwnTensors(model, path, query);
        const named = Object.entries(tensors).map(([name, tensor]) => [
          name.slice(part.length + 1),
          tensor,
        ]);
        const key = isGlance ? glanceOf(part) : part;
        store.keep(model, (slice) => ({
          [MEASURED]: { ...slice[MEASURED], [key]: Object.fromEntries(named) },
        }));
      },
    ),
  );
  store.watch(["model", "view", MEASURED], (state) => {
    const { model, view } = state;
    const isShown = (/** @type {Layer} */ layer) =>
      view === OVERVIEW ? isSought(layer, model) : layer.id === view;
    const part = layers.find(isShown)?.measured;
    if (part === undefined || state[MEASURED][part] !== undefined) return;
    const isGlance = view === OVERVIEW;
    if (isGlance && state[MEASURED][glanceOf(part)] !== undefined) return;
    if (wasMeasured(model, part)) ask({ model, part, isGlance });
  });
}
