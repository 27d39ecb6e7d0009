import assert from "node:assert/strict";
import { test } from "node:test";
import { networkStore, viewStore } from "../../../static/js/core/rooms.js";
import { choice, startOf, transient, whole } from "../../../static/js/core/schema.js";
import { OVERVIEW } from "../../../static/js/core/state.js";
import { createStore } from "../../../static/js/core/store.js";
import { createNetwork, layersOf } from "../../../static/js/kinds/network.js";
import { anyTensor, settled } from "../fixtures.js";
import { makers } from "../networks/making.js";

const maps = {
  name: "maps",
  fields: (model, layer) => ({
    map: whole({
      link: layer.keys?.map ?? "map",
      most: layer.shapeOf(model, "out")[0] - 1,
    }),
    mode: choice(`${layer.id}-mode`, ["after", "before"]),
    answer: transient(null),
  }),
  needs: ["out"],
  thumbnail: { needs: ["out"], paint() {} },
  script: "",
  load: async () => ({}),
};
const layer = (title, below, out, [size, step], more) => ({
  id: title.toLowerCase(),
  title,
  below,
  kind: maps,
  tensors: { out },
  window: () => ({ size, step }),
  ...more,
});
const FIRST = layer("First", undefined, "first.relu", [5, 1], {
  keys: { mode: "firstMode" },
  weights: { kernels: "first.weight" },
});
const POOLED = layer("Pooled", "first", "pooled", [2, 2], {
  keys: { mode: "pooledMode" },
});
const SECOND = layer("Second", "pooled", "second.relu", [5, 1], {
  keys: { map: "map2", mode: "secondMode" },
});
const MODEL = {
  id: "m",
  class_names: ["a"],
  input_shape: [1, 28, 24],
  tensors: [
    { name: "first.relu", shape: [6, 24, 20] },
    { name: "pooled", shape: [6, 12, 10] },
    { name: "second.relu", shape: [9, 8, 6] },
  ],
};
/** A store that shows `network`, and what its weights are asked for. */
function opened(network, view, patch = {}) {
  const model = { ...MODEL, ...patch };
  const tensors = Object.fromEntries(
    MODEL.tensors.map(({ name, shape }) => [name, anyTensor(() => 0.5, shape)]),
  );
  const { stateWith } = makers(network, model);
  const store = createStore(stateWith({ trace: { model: "m", tensors }, view }));
  const ownStore = networkStore(store, network);
  const paths = [];
  network.start(ownStore, {
    guarded: (job) => job,
    server: {
      async fetchOwnTensors(_model, path, query) {
        paths.push(query ? `${path}?${new URLSearchParams(query)}` : path);
        const name = path
          .replace("weights/", "")
          .replace("measured/types", "types.mean");
        return { [name]: anyTensor(() => 0.5, [1]) };
      },
    },
  });
  const stores = network.views.map((view) => viewStore(ownStore, view));
  return { store, stores, paths };
}

test("a window over windows sees what they see together", () => {
  const layers = layersOf([FIRST, POOLED, SECOND]);
  const reaches = layers.map((layer) => layer.reach(MODEL));
  assert.deepEqual(reaches, [
    { size: 5, step: 1, first: 0 },
    { size: 6, step: 2, first: 0 },
    { size: 14, step: 2, first: 0 },
  ]);
  assert.deepEqual(layers[2].field(MODEL, 1, 3), { row: 2, column: 6, size: 14 });
});

test("layers that name the same key share the field", async () => {
  const network = createNetwork({ layers: [FIRST, POOLED, SECOND], model: MODEL });
  const { store, stores } = opened(network, "pooled");
  stores[1].set({ map: 3 });
  assert.equal(store.get().slices.m.map, 3);
  assert.equal(store.get().slices.m.map2, 0);
  assert.equal(stores[1].get().map, 3);
});

test("a view sees its own tensors and weights by role, once all have come", async () => {
  const network = createNetwork({ layers: [FIRST, POOLED, SECOND], model: MODEL });
  const { store, stores, paths } = opened(network, "second");
  const [first, , second] = stores;
  assert.deepEqual(second.get().trace.tensors.out.shape, [9, 8, 6]);
  store.set({ view: "first" });
  assert.equal(first.get(), null);
  await settled();
  assert.deepEqual(paths, ["weights/first.weight"]);
  assert.deepEqual(first.get().weights.kernels.shape, [1]);
  assert.deepEqual(first.get().trace.tensors.out.shape, [6, 24, 20]);
  store.set({ view: "second" });
  store.set({ view: "first" });
  assert.equal(paths.length, 1);
});

test("no layer may take a key of the state that all networks share", () => {
  const layer = { ...FIRST, keys: { map: "view" } };
  const network = createNetwork({ layers: [layer], model: MODEL });
  assert.throws(() => startOf(network.schema(MODEL)), /view/);
});

test("kinds bring their comparisons and tasks, each with roles for names", async () => {
  const comparing = {
    ...maps,
    comparison: { needs: ["out"], load: async () => ({ panels: [{ id: "own" }] }) },
    tasks: { chosen: ({ map }, { than }) => map > than },
  };
  const network = createNetwork({
    layers: [FIRST, { ...POOLED, kind: comparing }],
    model: MODEL,
  });
  assert.deepEqual(network.comparison.needs, ["pooled"]);
  const [{ panels }] = await network.comparison.load();
  assert.deepEqual(panels, [{ id: "own" }]);
  assert.deepEqual(
    network.views.map(({ markup }) => [markup.name, markup.values.below]),
    [
      ["maps", "the image"],
      ["maps", "First"],
    ],
  );
  const { store } = opened(network, "pooled");
  const ownStore = networkStore(store, network);
  const { tasks } = await network.tasks();
  assert.equal(tasks.chosen(ownStore.get(), { than: 0 }), false);
  ownStore.set({ map: 3 });
  assert.equal(tasks.chosen(ownStore.get(), { than: 0 }), true);
});

test("a layer's unit comes into focus and its view opens, in one change", () => {
  const focusing = {
    ...maps,
    focus: ({ map }, { row, column }) => ({ map: map + 10 * row + column }),
  };
  const network = createNetwork({
    layers: [FIRST, POOLED, { ...SECOND, kind: focusing }],
    model: MODEL,
  });
  const { store } = opened(network, "first");
  const { openUnit } = network.actions(networkStore(store, network));
  let changes = 0;
  store.subscribe(() => changes++);
  openUnit("second", { row: 0, column: 4 });
  const { view, slices } = store.get();
  assert.deepEqual([view, slices.m.map2, slices.m.map], ["second", 4, 0]);
  assert.equal(changes, 1);
});

test("the Overview asks for the pictures that it shows, a view for all that was measured", async () => {
  const layer = { ...FIRST, measured: "types" };
  const network = createNetwork({ layers: [layer], model: MODEL });
  const measured = [{ name: "types.decoded", shape: [2, 3, 4, 4] }];
  const { store, paths } = opened(network, OVERVIEW, { measured, card: {} });
  await settled();
  assert.deepEqual(paths, ["measured/types?glance=true"]);
  store.set({ view: "first" });
  await settled();
  store.set({ view: OVERVIEW });
  await settled();
  assert.deepEqual(paths.slice(1).sort(), ["measured/types", "weights/first.weight"]);
});

test("weights that come late belong to the model that they were asked for", async () => {
  const network = createNetwork({ layers: [FIRST], model: MODEL });
  const { store, stores } = opened(network, "first");
  const other = { ...MODEL, id: "other" };
  const slices = { ...store.get().slices, other: startOf(network.schema(other)) };
  store.set({ model: other, network: { views: [] }, slices });
  await settled();
  assert.deepEqual(store.get().slices.other.weights, {});
  store.set({ model: MODEL, network });
  assert.deepEqual(stores[0].get().weights.kernels.shape, [1]);
});
