import assert from "node:assert/strict";
import { test } from "node:test";
import { listed, MODEL } from "../fixtures.js";
import { linking } from "../linking.js";
import { makers } from "./making.js";
import { efficient as network } from "./networks.js";

const EFFICIENT = {
  ...MODEL,
  id: "efficient",
  tensors: listed({
    ...Object.fromEntries(
      [
        [32, 24],
        [64, 22],
        [64, 20],
        [128, 9],
      ].flatMap(([count, side], i) =>
        ["pre", "relu", "out"].map((moment) => [
          `conv${i + 1}.${moment}`,
          [count, side, side],
        ]),
      ),
    ),
    "primary.capsules": [16, 8],
    "primary.lengths": [16],
    "classes.capsules": [10, 16],
  }),
};
const { made } = makers(network, EFFICIENT);
const { start, written, read } = linking(network.schema(EFFICIENT));
const viewOf = (id) => network.views.find((view) => view.id === id);

test("all capsules see the same 27 pixels of 28", () => {
  const { layer } = viewOf("primary").see(made().own.get());
  assert.deepEqual(layer.field(EFFICIENT, 0, 0), { row: 0, column: 0, size: 27 });
});

test("the map of a number leads to the layer below", () => {
  const { own, store, actions } = made({ view: "primary" });
  actions.openUnit("conv4", { row: 4, column: 5 });
  assert.equal(store.get().view, "conv4");
  assert.equal(own.get().pixel4, 4 * 9 + 5);
  assert.equal(own.get().conv4.mode, "relu");
});

test("what is chosen in each layer comes back from a link", () => {
  assert.equal(written(), "");
  const shown = { mode: "pre", order: "energy", scale: "tile" };
  const chosen = {
    map: 31,
    pixel: 575,
    map2: 63,
    pixel2: 483,
    map3: 63,
    pixel3: 399,
    map4: 127,
    pixel4: 80,
    conv1: shown,
    conv2: shown,
    conv3: shown,
    conv4: shown,
    capsule: 15,
    dimension: 7,
    followsStrongest: false,
  };
  const link = written(chosen);
  assert.deepEqual(read(link), { ...start, ...chosen });
});
