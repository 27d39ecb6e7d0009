/**
 * The state as a layer sees it: its fields, tensors and weights under the names that its
 * kind gives them.
 * @import { Layer, NetworkState, Tensor, Trace } from "./types.js"
 */

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
  return seenAs(layer, withStrongest(layer.network, state));
}

/** @type {WeakMap<NetworkState, Map<readonly Layer[], NetworkState>>} */
const completed = new WeakMap();

/**
 * A state in which each layer's strongest part is chosen, where nobody has chosen another.
 * @param {readonly Layer[]} layers of a network @param {NetworkState} state
 * @returns {NetworkState} the same for the same state
 */
function withStrongest(layers, state) {
  const known = completed.get(state) ?? new Map();
  completed.set(state, known);
  const found = known.get(layers);
  if (found !== undefined) return found;
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
  known.set(layers, full);
  return full;
}

/**
 * @param {Layer} layer @param {NetworkState} state
 * @returns {any}
 */
function seenAs(layer, state) {
  /** @type {Record<string, unknown>} */
  const own = {};
  for (const [role, key] of Object.entries(layer.keys ?? {})) own[role] = state[key];
  const trace = state.trace && traceBy(layer, state.trace);
  return {
    ...state,
    ...own,
    layer,
    trace,
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

/** @type {WeakMap<Trace, Map<Layer, Trace>>} */
const traces = new WeakMap();

/** Of those that a layer sees. @type {WeakMap<Trace, Trace>} */
const originals = new WeakMap();

/**
 * A trace whose tensors have their roles as names, besides their own.
 * @param {Layer} layer @param {Trace} trace
 * @returns {Trace} the same for the same trace
 */
export function traceBy(layer, trace) {
  const known = traces.get(trace) ?? new Map();
  traces.set(trace, known);
  const found = known.get(layer);
  if (found !== undefined) return found;
  const tensors = { ...trace.tensors };
  for (const [role, name] of Object.entries(layer.tensors)) {
    const tensor = trace.tensors[name];
    if (tensor !== undefined) tensors[role] = tensor;
    else delete tensors[role];
  }
  const renamed = { ...trace, tensors };
  const made = layer.kind.lens?.trace(renamed, layer) ?? renamed;
  known.set(layer, made);
  originals.set(made, trace);
  return made;
}

/**
 * A trace as it came, with the tensors' own names only.
 * @param {Trace} trace as a layer sees it
 */
export const originalOf = (trace) => originals.get(trace) ?? trace;

/** @type {WeakMap<Readonly<Record<string, Tensor>>, Map<Layer, Record<string, Tensor>>>} */
const weights = new WeakMap();

/**
 * A layer's trained tensors by role.
 * @param {Layer} layer @param {NetworkState} state
 * @returns {Record<string, Tensor> | null} null until all have come; then always the same
 */
export function weightsBy(layer, state) {
  /** @type {Readonly<Record<string, Tensor>>} */
  const all = state[WEIGHTS];
  const known = weights.get(all) ?? new Map();
  weights.set(all, known);
  const found = known.get(layer);
  if (found !== undefined) return found;
  const named = Object.entries(layer.weights ?? {});
  if (named.some(([, name]) => all[name] === undefined)) return null;
  const made = Object.fromEntries(named.map(([role, name]) => [role, all[name]]));
  known.set(layer, made);
  return made;
}
