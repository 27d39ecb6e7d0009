/**
 * What the kinds of a network's layers bring to features of the whole page: the comparison
 * of two images, the capsules that answer, the tasks of the guide, its routing beside
 * another network's.
 * @import { ComparedStore, Comparison, Layer, Network, Trace } from "./types.js"
 */
import { isReadAs, SCORES, saidOf } from "../core/scores.js";
import { selector } from "../core/store.js";
import { seenBy, traceBy } from "./layer-state.js";
import { operableIn } from "./overview.js";

/** Kinds in the order in which Compare shows them. */
const COMPARED = ["decoder", "classes"];

/**
 * @param {readonly Layer[]} layers
 * @returns {Comparison | undefined} undefined where none has anything to compare
 */
export function comparisonOf(layers) {
  const rank = (/** @type {Layer} */ { kind }) => COMPARED.indexOf(kind.name);
  const comparing = layers
    .filter(({ kind }) => kind.comparison !== undefined)
    .sort((a, b) => rank(a) - rank(b));
  if (comparing.length === 0) return undefined;
  return {
    needs: comparing.flatMap(({ kind, tensors }) =>
      (kind.comparison?.needs ?? []).flatMap((role) => tensors[role] ?? []),
    ),
    async load() {
      return Promise.all(
        comparing.map(async (layer) => ({
          panels: (await layer.kind.comparison?.load())?.panels ?? [],
          scenesOf: (store) => comparedBy(layer, store),
        })),
      );
    },
  };
}

/** Both traces, as a layer sees them. @param {Layer} layer @param {ComparedStore} store */
function comparedBy(layer, store) {
  const scenes = selector(store, (state) => ({
    ...seenBy(layer, /** @type {any} */ (state)),
    keptTrace: traceBy(layer, /** @type {Trace} */ (state.keptTrace)),
  }));
  return {
    watch: (/** @type {(scene: any) => void} */ draw) =>
      scenes.watch(["trace", "keptTrace", "classIndex", "model"], draw),
  };
}

/** @param {readonly Layer[]} layers @returns {Network["awake"]} */
export function awakeOf(layers) {
  return (trace) =>
    layers.flatMap((layer) => layer.kind.awake?.(traceBy(layer, trace), layer) ?? []);
}

/** @param {readonly Layer[]} layers @returns {Network["tasks"]} */
export function tasksOf(layers) {
  /** @type {Awaited<ReturnType<NonNullable<Network["tasks"]>>>["tasks"]} */
  const tasks = { says, "silenced-says": silencedSays(layers) };
  for (const layer of layers)
    for (const [name, isDone] of Object.entries(layer.kind.tasks ?? {}))
      tasks[name] ??= (state, task) => isDone(seenBy(layer, state), task);
  return async () => ({ tasks });
}

/**
 * The network reads the class in the image on show.
 * @type {Awaited<ReturnType<NonNullable<Network["tasks"]>>>["tasks"][string]}
 */
function says({ trace, pixels, model }, { classIndex }) {
  const scores = trace?.pixels === pixels && trace?.tensors[SCORES]?.data;
  return Boolean(scores) && isReadAs(saidOf(scores, model), classIndex);
}

/**
 * The same with some parts silent, so many at most, and no share held.
 * @param {readonly Layer[]} layers
 * @returns {typeof says}
 */
const silencedSays = (layers) => (state, task) => {
  const layer = operableIn(layers, state);
  if (layer === undefined || !says(state, task)) return false;
  const layerState = seenBy(layer, state);
  if (layerState.trace === null) return false;
  const { silent = [], held = [] } = layer.kind.staged?.(layerState) ?? {};
  const isRouted = (layerState.surgery?.routing ?? "agreement") === "agreement";
  const most = task.than ?? 1;
  return isRouted && held.length === 0 && silent.length > 0 && silent.length <= most;
};

/**
 * @param {readonly Layer[]} layers
 * @returns {Network["shares"]} undefined where none routes
 */
export function sharesOf(layers) {
  const layer = layers.find(({ kind }) => kind.shares !== undefined);
  return layer?.kind.shares?.(layer);
}
