/**
 * Makes what the page shows of a network from the description of its layers. A network says
 * what its layers are called, which tensors they are and what each reads; all else is their
 * kinds'.
 * @import { AnyTenant, AnyView, Model, Network, NetworkState, NetworkStore, Services, Tensor, Trace } from "../types.js"
 * @import { Schema } from "../core/schema.js"
 * @import { Layer, LayerDescription, LayerStore, Reach } from "./types.js"
 */
import { readLink, startOf, transient, writeLink } from "../core/schema.js";
import { checkOwnKeys } from "../core/state.js";
import { selector } from "../core/store.js";
import { latest } from "../lib/timing.js";

/** Where a network keeps trained tensors, by name. */
const WEIGHTS = "weights";

/** What a unit sees that reads the image itself. */
const PIXEL = { size: 1, step: 1, first: 0 };

/**
 * @param {object} described
 * @param {readonly LayerDescription[]} described.layers from the image up
 * @param {Partial<Network<AnyTenant>>} [described.own] what is not any layer's
 * @returns {Network<AnyTenant>}
 */
export function createNetwork({ layers: described, own = {} }) {
  const layers = layersOf(described);
  const schemaOf = (/** @type {Model} */ model) => networkSchema(layers, model);
  return {
    ...own,
    views: layers.map(viewOf),
    slice: (model, before) => startOf(schemaOf(model), before),
    actions: own.actions ?? (() => ({})),
    options: (state) =>
      Object.assign(
        {},
        ...layers.map((each) => each.kind.options?.(seenBy(each, state))),
      ),
    wants: (state) => [
      ...(own.wants?.(state) ?? []),
      ...layers.flatMap((each) => each.kind.wants?.(seenBy(each, state), each) ?? []),
    ],
    link: {
      write: (link, slice, model) => writeLink(link, schemaOf(model), slice),
      read: (link, model) => readLink(link, schemaOf(model)),
    },
    start(store, services) {
      keepWeights(layers, store, services);
      for (const layer of layers)
        layer.kind.start?.(layerStore(layer, store), services, layer);
      own.start?.(store, services);
    },
  };
}

/**
 * @param {readonly LayerDescription[]} described from the image up
 * @returns {Layer[]}
 * @throws {Error} where a layer reads one that does not stand below it
 */
export function layersOf(described) {
  /** @type {Layer[]} */
  const layers = [];
  for (const description of described) {
    const { below: name = "image", id, window } = description;
    const below = layers.find((each) => each.id === name);
    if (below === undefined && name !== "image")
      throw new Error(`${id} reads ${name}, which does not stand below it`);
    const reach = (/** @type {Model} */ model) => {
      const beneath = below === undefined ? PIXEL : below.reach(model);
      return beneath && window ? through(window(model), beneath) : null;
    };
    layers.push({
      ...description,
      network: layers,
      reach,
      field(model, row, column) {
        const seen = reach(model);
        if (seen === null) return null;
        const { size, step, first = 0 } = seen;
        return { row: first + row * step, column: first + column * step, size };
      },
      shapeOf(model, role) {
        const tensor = description.tensors[role];
        return model.tensors.find((each) => each.name === tensor)?.shape ?? [];
      },
    });
  }
  return layers;
}

/**
 * What a window sees of the input. It widens what lies beneath by all but one of its cells,
 * each as far apart as the units beneath.
 * @param {Reach} window in units of the layer below
 * @param {Reach} beneath what such a unit sees
 * @returns {Reach}
 */
export function through({ size, step, first = 0 }, beneath) {
  return {
    size: beneath.size + (size - 1) * beneath.step,
    step: beneath.step * step,
    first: (beneath.first ?? 0) + first * beneath.step,
  };
}

/**
 * The fields of all layers, under the keys by which the network keeps them.
 * @param {readonly Layer[]} layers
 * @param {Model} model
 * @returns {Schema}
 * @throws {Error} where a key is one of the shared state
 */
function networkSchema(layers, model) {
  /** @type {Record<string, Schema[string]>} */
  const schema = { [WEIGHTS]: transient({}) };
  for (const layer of layers)
    for (const [key, field] of Object.entries(layer.kind.fields?.(model, layer) ?? {}))
      schema[keyOf(layer, key)] ??= field; // the lowest layer that has it declares it
  checkOwnKeys(Object.keys(schema));
  return schema;
}

/**
 * @param {Pick<Layer, "keys">} layer
 * @param {string} key of its state
 * @returns {string} under which the network keeps it
 */
const keyOf = ({ keys = {} }, key) => keys[key] ?? key;

/**
 * @param {Layer} layer
 * @returns {AnyView}
 */
function viewOf(layer) {
  const { kind, id, title } = layer;
  const names = (/** @type {readonly string[]} */ roles) =>
    roles.flatMap((role) => layer.tensors[role] ?? []);
  const { thumbnail } = kind;
  const { layout } = thumbnail;
  return {
    id,
    title,
    shape: (model) =>
      kind.shape?.(model, layer) ?? layer.shapeOf(model, thumbnail.needs[0]).join("×"),
    thumbnail: {
      needs: names(thumbnail.needs),
      follows: thumbnail.follows?.map((key) => keyOf(layer, key)),
      paint(canvas, _trace, state) {
        const seen = seenBy(layer, state);
        thumbnail.paint(canvas, seen.trace, seen);
      },
      hover: layout && {
        layout: (trace) => layout(traceBy(layer, trace)),
        field: (model, row, column) => layer.field(model, row, column),
      },
    },
    needs: names(kind.needs),
    requires: kind.requires?.map((key) => keyOf(layer, key)),
    isReady: (state) => weightsBy(layer, state) !== null,
    isBeside: kind.isBeside,
    tryFirst: kind.tryFirst?.(layer),
    see: (state) => seenBy(layer, state),
    keysOf: (patch) => keysOf(layer, patch),
    script: kind.script,
    load: async () => {
      const { mount } = await kind.load();
      return {
        mount: (root, store, actions, services) =>
          mount(root, store, actions, services, layer),
      };
    },
  };
}

/**
 * The state as a layer sees it: its fields, weights and tensors under their roles.
 * @param {Layer} layer
 * @param {NetworkState<AnyTenant>} state
 */
export function seenBy(layer, state) {
  /** @type {Record<string, unknown>} */
  const own = {};
  for (const [role, key] of Object.entries(layer.keys ?? {})) own[role] = state[key];
  const trace = state.trace && traceBy(layer, state.trace);
  return { ...state, ...own, layer, trace, weights: weightsBy(layer, state) };
}

/**
 * @param {Layer} layer
 * @param {Record<string, unknown>} patch by the layer's keys
 * @returns {Record<string, unknown>} by the network's
 */
function keysOf(layer, patch) {
  return Object.fromEntries(
    Object.entries(patch).map(([key, value]) => [keyOf(layer, key), value]),
  );
}

/** @type {WeakMap<Trace, Map<Layer, Trace>>} */
const traces = new WeakMap();

/**
 * A trace whose tensors have their roles as names, besides their own.
 * @param {Layer} layer
 * @param {Trace} trace
 * @returns {Trace} the same for the same trace
 */
function traceBy(layer, trace) {
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
  const made = { ...trace, tensors };
  known.set(layer, made);
  return made;
}

/** @type {WeakMap<Readonly<Record<string, Tensor>>, Map<Layer, Record<string, Tensor>>>} */
const weights = new WeakMap();

/**
 * A layer's trained tensors by role.
 * @param {Layer} layer
 * @param {NetworkState<AnyTenant>} state
 * @returns {Record<string, Tensor> | null} null until all have come; then always the same
 */
function weightsBy(layer, state) {
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

/**
 * Fetch what layers have learned, each tensor once for a model, when a view first needs it.
 * @param {readonly Layer[]} layers
 * @param {NetworkStore<AnyTenant>} store
 * @param {Services} services
 */
function keepWeights(layers, store, { server, guarded }) {
  const ask = latest(
    guarded(
      async (/** @type {{ model: Model, names: string[] }} */ { model, names }) => {
        const found = await Promise.all(
          names.map(async (name) => {
            const tensors = await server.fetchOwnTensors(model, `weights/${name}`);
            return [name, tensors[name]];
          }),
        );
        store.keep(model, (slice) => ({
          [WEIGHTS]: { ...slice[WEIGHTS], ...Object.fromEntries(found) },
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
 * The store by which a kind keeps its answers current: open or not.
 * @param {Layer} layer
 * @param {NetworkStore<AnyTenant>} store
 * @returns {LayerStore<any>}
 */
function layerStore(layer, store) {
  const seen = selector(store, (/** @type {any} */ state) => seenBy(layer, state));
  return {
    ...seen,
    set: (patch) => store.set(keysOf(layer, patch)),
    whenClosed: (job) => void seen.whenGone(job),
  };
}
