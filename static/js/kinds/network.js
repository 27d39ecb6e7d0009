/**
 * Makes what the page shows of a network from the description of its layers. A network says
 * what its layers are called, which tensors they are and what each reads; all else is their
 * kinds'.
 * @import { Schema } from "../core/schema.js"
 * @import { KeepingStore, KindActions, Layer, LayerDescription, Model, Network, NetworkStore, Reach, View } from "./types.js"
 */
import { transient } from "../core/schema.js";
import { checkOwnKeys } from "../core/state.js";
import { selector } from "../core/store.js";
import { fieldAt, hull, ITSELF, through, within } from "../geometry/windows.js";
import { keepMeasured, keepWeights } from "./fetching.js";
import { keyOf, keysOf, MEASURED, seenBy, WEIGHTS, weightsBy } from "./layer-state.js";
import { operableIn, overviewOf } from "./overview.js";
import { awakeOf, comparisonOf, sharesOf, tasksOf } from "./together.js";

/**
 * @param {object} described
 * @param {readonly LayerDescription[]} described.layers from the image up
 * @param {Partial<Network>} [described.extras] what is not any layer's
 * @param {Model} described.model one that has these layers
 * @returns {Network}
 */
export function createNetwork({ layers: described, extras = {}, model }) {
  const layers = layersOf(described);
  const noticing = layers.filter(({ kind }) => kind.notice);
  return {
    comparison: comparisonOf(layers),
    awake: awakeOf(layers),
    overview: overviewOf(layers, sizeOf),
    tasks: tasksOf(layers),
    shares: sharesOf(layers),
    ...extras,
    views: layers.map((layer) => viewOf(layer, model)),
    schema: (model) => networkSchema(layers, model),
    actions: (store) => ({ ...extras.actions?.(store), ...opening(layers, store) }),
    options: (state) =>
      Object.assign(
        {},
        ...layers.map((layer) => layer.kind.options?.(seenBy(layer, state))),
      ),
    ...(layers.some(({ kind }) => kind.unchanged) && {
      unchanged: () => unchangedIn(layers),
    }),
    wants: (state) => [
      ...(extras.wants?.(state) ?? []),
      ...layers.flatMap(
        (layer) => layer.kind.wants?.(seenBy(layer, state), layer) ?? [],
      ),
    ],
    start(store, services) {
      keepWeights(layers, store, services);
      keepMeasured(layers, store, services);
      for (const layer of layers)
        layer.kind.start?.(layerStore(layer, store), services, layer);
      extras.start?.(store, services);
    },
    notice(root, store, actions) {
      for (const layer of noticing)
        layer.kind.notice?.(root, layerStore(layer, store), actions, layer);
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
    const { below: name = "image", beside = [], id, window } = description;
    const sources = [name, ...beside].map((name) => {
      const below = layers.find((layer) => layer.id === name);
      if (below === undefined && name !== "image")
        throw new Error(`${id} reads ${name}, which does not stand below it`);
      return below;
    });
    const isRouting = description.kind.name === "routing";
    const reach = (/** @type {Model} */ model) => {
      const reaches = sources.map((source) =>
        source === undefined ? ITSELF : source.reach(model),
      );
      const beneath = reaches.every((reach) => reach !== null) ? hull(reaches) : null;
      if (window === undefined && isRouting) return beneath; // its places are those below
      return beneath && window ? through(window(model), beneath) : null;
    };
    /** @type {Layer} */
    const layer = {
      ...description,
      network: layers,
      reach,
      field(model, row, column, map) {
        const extent = ofMap(map, sources, model) ?? reach(model);
        const [rows, columns] = model.input_shape.slice(-2);
        return extent && within(fieldAt(extent, { row, column }), { rows, columns });
      },
      shapeOf(model, role) {
        const tensor = layer.tensors[role];
        return model.tensors.find((other) => other.name === tensor)?.shape ?? [];
      },
    };
    layers.push(layer);
  }
  for (const layer of layers) {
    const { id, kind, keys = {} } = layer;
    layer.words = { ...kind.words?.(layer), ...layer.words };
    layer.tensors = { ...kind.tensors?.(layer), ...layer.tensors };
    layer.hasOwnNames = kind.ownKeys !== undefined && Object.keys(keys).length === 0;
    const ownKeys = layer.hasOwnNames
      ? (kind.ownKeys ?? []).map((key) => [key, `${id}.${key}`])
      : [];
    layer.keys = { ...Object.fromEntries(ownKeys), ...kind.keys?.(layer), ...keys };
  }
  return layers;
}

/** The roles of tensors of which the first axis is a layer's maps. */
const MAPS = ["pre", "values", "activation"];

/**
 * What a map sees that came from one of several layers side by side.
 * @param {number | undefined} map @param {readonly (Layer | undefined)[]} layers
 * @param {Model} model
 * @returns {Reach | null} null where there are not several
 */
function ofMap(map, layers, model) {
  if (map === undefined || layers.length < 2) return null;
  let index = map;
  for (const layer of layers) {
    if (layer === undefined) return null;
    const role = MAPS.find((name) => name in layer.tensors) ?? "";
    const [count] = layer.shapeOf(model, role);
    if (index < count) return layer.reach(model);
    index -= count;
  }
  return null;
}

/**
 * The fields of all layers, under the keys by which the network keeps them.
 * @param {readonly Layer[]} layers @param {Model} model
 * @returns {Schema}
 * @throws {Error} where a key is one of the shared state
 */
function networkSchema(layers, model) {
  /** @type {Record<string, Schema[string]>} */
  const schema = { [WEIGHTS]: transient({}), [MEASURED]: transient({}) };
  for (const layer of layers)
    for (const [key, field] of Object.entries(layer.kind.fields?.(model, layer) ?? {}))
      schema[keyOf(layer, key)] ??= field; // the lowest layer that has it declares it
  checkOwnKeys(Object.keys(schema));
  return schema;
}

/**
 * What stands in the markup of its kind for its own words.
 * @param {Layer} layer @param {Model} model
 * @returns {Record<string, string>}
 */
function valuesOf(layer, model) {
  const { id, title, below, network, words = {}, kind } = layer;
  const titleOf = (/** @type {string | undefined} */ name) =>
    network.find((layer) => layer.id === name)?.title;
  const texts = Object.entries(words).flatMap(([name, text]) =>
    typeof text === "string" ? [[name, titleOf(text) ?? text]] : [],
  );
  return {
    ...Object.fromEntries(texts),
    id,
    title,
    below: titleOf(below) ?? "the image",
    ...kind.values?.(layer, model),
  };
}

/** @param {Layer} layer @param {Model} model @returns {string} such as 256×20×20 */
function sizeOf(layer, model) {
  const { shape, thumbnail } = layer.kind;
  return shape?.(model, layer) ?? layer.shapeOf(model, thumbnail.needs[0]).join("×");
}

/** @param {Layer} layer @param {Model} model @returns {View} */
function viewOf(layer, model) {
  const { kind, id, title } = layer;
  const names = (/** @type {readonly string[]} */ roles) =>
    roles.flatMap((role) => layer.tensors[role] ?? []);
  const { thumbnail } = kind;
  return {
    id,
    title,
    markup: {
      name: kind.markup?.(layer, model) ?? kind.name,
      values: valuesOf(layer, model),
    },
    shape: (model) => sizeOf(layer, model),
    thumbnail: {
      needs: names(thumbnail.needs),
      follows: thumbnail.follows?.map((key) => keyOf(layer, key)),
      paint(canvas, _trace, state) {
        const layerState = seenBy(layer, state);
        thumbnail.paint(canvas, layerState.trace, layerState);
      },
    },
    needs: names(typeof kind.needs === "function" ? kind.needs(layer) : kind.needs),
    compares: names(kind.compares ?? []),
    requires: kind.requires?.map((key) => keyOf(layer, key)),
    isReady: (state) => weightsBy(layer, state) !== null,
    folds: typeof kind.folds === "function" ? kind.folds(layer) : kind.folds,
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
 * What changes so that nothing is changed in any layer.
 * @param {readonly Layer[]} layers
 */
const unchangedIn = (layers) =>
  Object.assign(
    {},
    ...layers.map((layer) => keysOf(layer, layer.kind.unchanged ?? {})),
  );

/**
 * How views lead to a layer below, and what gestures on the Overview do.
 * @param {readonly Layer[]} layers @param {NetworkStore} store
 */
function opening(layers, store) {
  /** @type {KindActions["openAt"]} */
  function openAt(view, { units, classIndex }) {
    const state = store.get();
    if (state === null) return;
    const patches = units.map(({ id, ...focus }) => {
      const layer = layers.find((layer) => layer.id === id);
      return layer
        ? keysOf(layer, layer.kind.focus?.(seenBy(layer, state), focus) ?? {})
        : {};
    });
    const chosen = classIndex === undefined ? {} : { classIndex };
    store.set(Object.assign(chosen, ...patches, { view, field: null }));
  }
  return {
    openAt,
    /** @type {KindActions["operate"]} */
    operate(gesture) {
      const state = store.get();
      const layer = state && operableIn(layers, state);
      if (!state || !layer) return;
      const patch = layer.kind.operate?.(seenBy(layer, state), gesture) ?? {};
      store.set(keysOf(layer, patch));
    },
    /** @type {KindActions["restore"]} */
    restore: () => store.set(unchangedIn(layers)),
    /** @type {KindActions["openUnit"]} */
    openUnit: (id, focus) => openAt(id, { units: [{ id, ...focus }] }),
  };
}

/**
 * The store by which a kind keeps its answers current: open or not.
 * @param {Layer} layer @param {NetworkStore} store
 * @returns {KeepingStore<any>}
 */
function layerStore(layer, store) {
  const states = selector(store, (/** @type {any} */ state) => seenBy(layer, state));
  return {
    ...states,
    set: (patch) => store.set(keysOf(layer, patch)),
    keep: (model, patch) => store.keep(model, keysOf(layer, patch)),
    whenClosed: (job) => void states.whenGone(job),
  };
}
