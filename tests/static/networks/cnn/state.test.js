import assert from "node:assert/strict";
import { test } from "node:test";

import { network } from "../../../../static/js/networks/cnn/index.js";
import { blank } from "../../fixtures.js";
import { CNN, made } from "./made.js";

const SAMPLE = { kind: "sample", id: "a4", label: 4, title: "a four" };

for (const [action, key, value] of [
  ["chooseMap", "map", 31],
  ["choosePixel", "pixel", 575],
  ["chooseMap2", "map2", 63],
  ["choosePixel2", "pixel2", 63],
  ["chooseUnit", "unit", 511],
  ["chooseCentre", "centre", 3],
  ["moveImage", "shift", { down: 1, right: -2 }],
]) {
  test(`${action} changes ${key} and nothing else`, () => {
    const { store, actions } = made();
    const before = store.get();
    actions[action](value);
    const slice = { ...before.slices[CNN.id], [key]: value };
    assert.deepEqual(store.get(), { ...before, slices: { [CNN.id]: slice } });
  });
}

test("map and pixel of every layer outlive a change of image", () => {
  const chosen = { map: 5, pixel: 100, map2: 40, pixel2: 9 };
  const { own, actions } = made(chosen);
  actions.showImage(blank(), SAMPLE);
  const { map, pixel, map2, pixel2 } = own.get();
  assert.deepEqual({ map, pixel, map2, pixel2 }, chosen);
});

test("each convolution is looked at in its own way", () => {
  const { own, actions } = made();
  actions.lookAtLayer({ shown: "own" });
  actions.lookAtLayer2({ order: "energy" });
  actions.lookBeneath({ shown: "products" });
  assert.deepEqual(own.get().conv1, { shown: "own", order: "number", scale: "layer" });
  assert.deepEqual(own.get().conv2, { shown: "relu", order: "energy", scale: "layer" });
  assert.deepEqual(own.get().beneath, { shown: "products", order: "share" });
});

test("another CNN is looked at as the one before, and begins in the middle", () => {
  const conv2 = { shown: "kernels", order: "energy", scale: "tile" };
  const before = { ...network.slice(CNN), conv2, map2: 60, kernels2: {} };
  const slice = network.slice({ ...CNN, id: "another" }, before);
  assert.deepEqual(slice, { ...network.slice(CNN), conv2 });
});
