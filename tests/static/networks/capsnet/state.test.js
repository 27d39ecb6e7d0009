import assert from "node:assert/strict";
import { test } from "node:test";
import { preset } from "../../../../static/js/convolution/kernel/presets.js";
import { initialSlice, sizesOf } from "../../../../static/js/networks/capsnet/state.js";
import { MODEL, OTHER_MODEL, SIZES } from "../../fixtures.js";
import { made } from "./made.js";

test("a model's sizes are those of its card", () => {
  assert.equal(sizesOf(MODEL), SIZES);
});

for (const [action, key, value] of [
  ["chooseMap", "map", 255],
  ["choosePixel", "pixel", 399],
  ["chooseDimension", "dimension", 5],
  ["chooseCentre", "centre", 3],
]) {
  test(`${action} changes ${key} and nothing else`, () => {
    const { store, actions } = made();
    const before = store.get();
    actions[action](value);
    const slice = { ...before.slices[MODEL.id], [key]: value };
    assert.deepEqual(store.get(), { ...before, slices: { [MODEL.id]: slice } });
  });
}

test("a chosen capsule stays, whatever gives the most", () => {
  const { own, actions } = made();
  assert.equal(own.get().followsStrongest, true);
  actions.chooseCapsule(1151);
  const { capsule, followsStrongest } = own.get();
  assert.deepEqual(
    { capsule, followsStrongest },
    { capsule: 1151, followsStrongest: false },
  );
});

test("another model begins without what was chosen in the one before", () => {
  const before = {
    ...initialSlice(MODEL),
    map: 12,
    pixel: 399,
    capsule: 1151,
    kernels: {},
  };
  assert.deepEqual(initialSlice(OTHER_MODEL, before), initialSlice(OTHER_MODEL));
});

test("another model is looked at as the one before was, with one's own kernel", () => {
  const kernel = preset("box", 7);
  const conv1 = { shown: "own", order: "energy", scale: "tile" };
  const before = { ...initialSlice(MODEL), kernel, conv1, dimension: 5 };
  const slice = initialSlice(OTHER_MODEL, before);
  assert.equal(slice.kernel, kernel);
  assert.equal(slice.conv1, conv1);
  assert.deepEqual([slice.dimension, slice.centre], [0, 14 * 28 + 14]);
});

test("a switch of a picture leaves the others as they are", () => {
  const { own, actions } = made();
  actions.lookAtLayer({ order: "energy" });
  actions.lookAtLayer({ shown: "own" });
  assert.deepEqual(own.get().conv1, { shown: "own", order: "energy", scale: "layer" });
  actions.lookBeneath({ shown: "products" });
  assert.deepEqual(own.get().beneath, { shown: "products", order: "share" });
});

test("a kernel is kept in half precision, so that a link holds it exactly", () => {
  const { own, actions } = made();
  actions.useKernel({ ...preset("identity", 3), bias: 1 / 3 });
  assert.equal(own.get().kernel.bias, 1365 / 4096);
});

test("nothing is changed in a network that is no longer chosen", () => {
  const { store, actions } = made();
  const other = { views: [] };
  store.set({ network: other, model: OTHER_MODEL });
  const before = store.get();
  actions.chooseMap(7);
  assert.deepEqual(store.get(), before);
});
