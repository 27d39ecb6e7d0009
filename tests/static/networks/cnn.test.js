import assert from "node:assert/strict";
import { test } from "node:test";
import { anyTensor, listed, MODEL } from "../fixtures.js";
import { linking } from "../linking.js";
import { makers } from "./making.js";
import { cnn as network } from "./networks.js";

const CNN = {
  ...MODEL,
  id: "cnn",
  architecture: "cnn",
  tensors: listed({
    "conv1.pre": [32, 24, 24],
    "conv1.relu": [32, 24, 24],
    "conv2.pre": [64, 8, 8],
    "conv2.relu": [64, 8, 8],
    pool1: [32, 12, 12],
    pool2: [64, 4, 4],
    hidden: [512],
    logits: [10],
    scores: [10],
  }),
};
const { made } = makers(network, CNN);
const { written, read } = linking(network.schema(CNN));

/** Rows of the layer beneath that a row reaches, by what stands there. */
const KERNEL = (row) => [row, row + 1, row + 2, row + 3, row + 4];
const WINDOW = (row) => [2 * row, 2 * row + 1];

/** From the input up; and how many rows there are. */
const LAYERS = {
  conv1: { beneath: [KERNEL], rows: 24 },
  pool1: { beneath: [KERNEL, WINDOW], rows: 12 },
  conv2: { beneath: [KERNEL, WINDOW, KERNEL], rows: 8 },
  pool2: { beneath: [KERNEL, WINDOW, KERNEL, WINDOW], rows: 4 },
};

for (const [id, { beneath, rows }] of Object.entries(LAYERS))
  test(`a field of ${id} is what its layers reach, no more and no less`, () => {
    const view = network.views.find((view) => view.id === id);
    const { layer } = view.see(made().own.get());
    for (let row = 0; row < rows; row++) {
      const field = layer.field(CNN, row, 0);
      let reached = [row];
      for (const below of beneath.toReversed())
        reached = [...new Set(reached.flatMap(below))];
      const seen = Array.from({ length: field.size }, (_, i) => field.row + i);
      assert.deepEqual(
        reached.sort((a, b) => a - b),
        seen,
      );
    }
    const { column, size } = layer.field(CNN, 0, rows - 1);
    assert.equal(column + size, 28); // the last one ends with the input
  });

/** Maps of a layer that are 0 but for a few values. */
function mapsWith(shape, values) {
  const maps = anyTensor(() => 0, shape);
  for (const [map, pixel, value] of values)
    maps.data[map * shape[1] * shape[2] + pixel] = value;
  return maps;
}

test("until one is chosen, a view opens at the strongest pixel of the map with most energy", () => {
  const { store, own } = made();
  const opens = (id) => {
    const { map, pixel } = network.views.find((view) => view.id === id).see(own.get());
    return [map, pixel];
  };
  // Map 3 has the most below 0, which ReLU stops.
  const first = [
    ...[
      [3, 0, -9],
      [5, 2, 1],
      [7, 30, 2],
      [7, 40, 3],
    ],
  ];
  const pre = mapsWith([32, 24, 24], first);
  const relu = { ...pre, data: pre.data.map((value) => Math.max(0, value)) };
  const second = mapsWith([64, 8, 8], [[60, 0, 1]]);
  const tensors = { "conv1.relu": relu, "conv2.pre": second };
  store.set({ trace: { model: "cnn", tensors } });
  assert.deepEqual(opens("pool1"), [7, 40]);
  assert.deepEqual(opens("conv2"), [60, 0]);
  store.set({ trace: { model: "cnn", tensors: { ...tensors, "conv1.pre": pre } } });
  assert.deepEqual(
    [opens("conv1"), opens("pool1")],
    [
      [7, 40],
      [7, 40],
    ],
  );
  own.set({ map: 5 });
  assert.deepEqual(
    [opens("conv1"), opens("pool1")],
    [
      [5, 2],
      [5, 2],
    ],
  );
  own.set({ map: 0, pixel: 0 });
  assert.match(written(own.get()), /map=0&pixel=0/);
});

for (const [from, place, view, patch] of [
  ["conv2", { row: 3, column: 5 }, "pool1", { pixel: 2 * (3 * 24 + 5) }],
  ["hidden", { row: 1, column: 2 }, "pool2", { pixel2: 2 * (8 + 2) }],
])
  test(`${from} leads to the window of ${view} that holds a value`, () => {
    const { store, own, actions } = made({ view: from });
    actions.openUnit(view, place);
    assert.equal(store.get().view, view);
    for (const [key, value] of Object.entries(patch))
      assert.equal(own.get()[key], value);
  });

test("a map is silenced, told by its name, and speaks again", () => {
  const model = { ...CNN, silenceable_maps: 64 };
  const { own, actions } = made({}, model);
  const { surgery } = network.schema(model);
  const before = own.get().surgery;
  actions.operate({ tile: 12 });
  assert.deepEqual(network.options(own.get()).silence, [12]);
  assert.equal(surgery.step(before, own.get().surgery), "map 12 silent");
  const linked = linking(network.schema(model));
  assert.match(linked.written(own.get()), /^silence=12$/);
  assert.deepEqual(linked.read("silence=12&routing=uniform&pin=3:4=0").surgery, {
    ...before,
    silenced: [12],
  });
  actions.operate({ tile: 12 });
  assert.deepEqual(network.options(own.get()), {});
  // Of a network that does not say so, nothing can be silenced.
  assert.deepEqual(read("silence=12").surgery, before);
});
