/**
 * The state as a layer sees it: its fields, tensors and weights under the names that its
 * kind gives them.
 * @import { Layer, NetworkState, Tensor, Trace } from "./types.js"
 */
import { memoizeByPair } from "../lib/memoize.js";

/** Where a network keeps trained tensors, by name. */
export const WEIGHTS = "weights";

/** Where it keeps what was measured on it: parts, and their tensors by name. */
export const MEASURED = "measures";

/** The key among these for what the Overview shows of a part. @param {string} part */
export const glanceOf = (part) => `${part} at a glance`;

/**
 * @param {Pick<Layer, "keys">} layer
 * @param {string} key of its state
 * @returns {string} under which the network keeps it
 */
export const keyOf = ({ keys = {} }, key) => keys[key] ?? key;

/**
 * @param {Pick<Layer, "id" | "links" | "hasOwnNames">} layer
 * @param {string} name of a field of its kind
 * @returns {string} what it is called in links
 */
export const linkOf = ({ id, links = {}, hasOwnNames }, name) =>
  links[name] ?? (hasOwnNames ? `${id}-${name}` : name);

/**
 * The key under which a layer keeps the map in focus of those that it has; undefined where
 * it has no maps.
 * @param {Layer | undefined} layer
 */
export function mapKeyOf(layer) {
  if (layer?.kind.name === "tensor") return keyOf(layer, "tile");
  const hasMaps = layer?.kind.name === "convolution" || layer?.kind.name === "pooling";
  return layer && hasMaps ? keyOf(layer, "map") : undefined;
}

/**
 * @param {Layer} layer @param {NetworkState} state
 * @returns {any} what it holds is the kind's own
 */
export function seenBy(layer, state) {
  return seenAs(layer, withStrongest(state, layer.network));
}

/**
 * A state in which each layer's strongest part is chosen, where nobody has chosen another;
 * the same for the same state.
 */
const withStrongest = memoizeByPair(
  (/** @type {NetworkState} */ state, /** @type {readonly Layer[]} */ layers) => {
    /** @type {any} */
    let full = state;
    for (const layer of layers) {
      const { keys = [], of } = layer.kind.strongest ?? {};
      const open = keys.filter((key) => full[keyOf(layer, key)] === null);
      const strongest = open.length > 0 && of?.(seenAs(layer, full));
      if (!strongest) continue;
      const chosen = open.map((key) => [keyOf(layer, key), strongest[key]]);
      full = { ...full, ...Object.fromEntries(chosen) };
    }
    return full;
  },
);

/** @param {Layer} layer @param {NetworkState} state @returns {any} */
function seenAs(layer, state) {
  const fields = Object.entries(layer.keys ?? {}).map(([role, key]) => [
    role,
    state[key],
  ]);
  return {
    ...state,
    ...Object.fromEntries(fields),
    layer,
    trace: state.trace && traceBy(layer, state.trace),
    model: (state.model && layer.kind.lens?.model(state.model, layer)) ?? state.model,
    weights: weightsBy(layer, state),
    measured: state[MEASURED][layer.measured ?? ""] ?? null,
  };
}

/**
 * @param {Layer} layer
 * @param {Record<string, unknown>} patch by the layer's keys
 * @returns {Record<string, unknown>} by the network's
 */
export function keysOf(layer, patch) {
  return Object.fromEntries(
    Object.entries(patch).map(([key, value]) => [keyOf(layer, key), value]),
  );
}

/** Of those that a layer sees. @type {WeakMap<Trace, Trace>} */
const originals = new WeakMap();

/**
 * A trace whose tensors have their roles as names, besides their own.
 * @param {Layer} layer @param {Trace} trace
 * @returns {Trace} the same for the same trace
 */
export const traceBy = (layer, trace) => tracesBy(trace, layer);

const tracesBy = memoizeByPair(
  (/** @type {Trace} */ trace, /** @type {Layer} */ layer) => {
    const tensors = { ...trace.tensors };
    for (const [role, name] of Object.entries(layer.tensors)) {
      const tensor = trace.tensors[name];
      if (tensor !== undefined) tensors[role] = tensor;
      else delete tensors[role];
    }
    const renamed = { ...trace, tensors };
    const layerTrace = layer.kind.lens?.trace(renamed, layer) ?? renamed;
    originals.set(layerTrace, trace);
    return layerTrace;
  },
);

/**
 * A trace as it came, with the tensors' own names only.
 * @param {Trace} trace as a layer sees it
 */
export const originalOf = (trace) => originals.get(trace) ?? trace;

/**
 * A layer's trained tensors by role.
 * @param {Layer} layer @param {NetworkState} state
 * @returns {Record<string, Tensor> | null} null until all have come; then always the same
 */
export const weightsBy = (layer, state) => weightsOf(state[WEIGHTS], layer);

const weightsOf = memoizeByPair(
  (
    /** @type {Readonly<Record<string, Tensor>>} */ weights,
    /** @type {Layer} */ layer,
  ) => {
    const tensors = Object.entries(layer.weights ?? {}).map(([role, name]) => [
      role,
      weights[name],
    ]);
    const isHere = tensors.every(([, tensor]) => tensor !== undefined);
    return isHere ? Object.fromEntries(tensors) : null;
  },
);
