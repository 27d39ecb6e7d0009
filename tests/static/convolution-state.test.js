/** How the state, its questions and its answers serve the views of the convolutions. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { fetchPrimaryKernels } from "../../static/js/api.js";
import { preset } from "../../static/js/lib/kernel-presets.js";
import { primaryKernelsWish } from "../../static/js/live.js";
import { createActions, initialState } from "../../static/js/state.js";
import { createStore } from "../../static/js/store.js";
import { float32Bytes, MODEL, OTHER_MODEL, safetensorsFile } from "./fixtures.js";

function made(patch = {}) {
  const store = createStore({ ...initialState(), ...patch });
  return { store, actions: createActions(store) };
}

test("a switch of a picture leaves the others as they are", () => {
  const { store, actions } = made();
  actions.lookAtConv1({ order: "energy" });
  actions.lookAtConv1({ shown: "own" });
  assert.deepEqual(store.get().conv1, {
    shown: "own",
    order: "energy",
    scale: "layer",
  });
  actions.lookBeneath({ shown: "products" });
  assert.deepEqual(store.get().beneath, { shown: "products", order: "share" });
  actions.lookAtRouting({ flow: "all" });
  actions.lookAtRouting({ scale: "own" });
  assert.deepEqual(store.get().routed, { flow: "all", where: "for", scale: "own" });
});

test("a kernel is kept in half precision, so that a link holds it exactly", () => {
  const { store, actions } = made();
  actions.useKernel({ ...preset("identity", 3), bias: 1 / 3 });
  assert.equal(store.get().kernel.bias, 1365 / 4096);
});

test("another model keeps one's own kernel, and starts at its middle", () => {
  const { store, actions } = made({ kernel: preset("box", 7), dimension: 5 });
  actions.useModel(OTHER_MODEL);
  const { kernel, dimension, centre, primaryKernels } = store.get();
  assert.deepEqual(kernel, preset("box", 7));
  assert.deepEqual([dimension, centre, primaryKernels], [0, 14 * 28 + 14, null]);
});

const LOOKING = { model: MODEL, view: "primary", capsule: 36, primaryKernels: null };

test("the kernels of the chosen capsule's type are asked for while it is looked at", () => {
  assert.deepEqual(primaryKernelsWish(LOOKING), { model: MODEL, type: 1 });
  assert.equal(primaryKernelsWish({ ...LOOKING, view: "conv1" }), null);
  assert.equal(primaryKernelsWish({ ...LOOKING, model: null }), null);
});

test("kernels that are here are not asked for again, those of others are", () => {
  const here = { model: MODEL.id, type: 1 };
  assert.equal(primaryKernelsWish({ ...LOOKING, primaryKernels: here }), null);
  for (const other of [
    { ...here, type: 0 },
    { ...here, model: OTHER_MODEL.id },
  ]) {
    const wish = primaryKernelsWish({ ...LOOKING, primaryKernels: other });
    assert.deepEqual(wish, { model: MODEL, type: 1 });
  }
});

test("the kernels of a type are asked for with the model's version", async (t) => {
  const file = safetensorsFile([
    ["primary.kernels", "F32", [1], float32Bytes([3])],
    ["primary.bias", "F32", [1], float32Bytes([4])],
  ]);
  const asked = [];
  t.mock.method(globalThis, "fetch", async (path) => {
    asked.push(path);
    return new Response(file);
  });
  const { model, type, kernels, bias } = await fetchPrimaryKernels(OTHER_MODEL, 31);
  assert.deepEqual(asked, ["/api/models/my%20net%20%232/kernels/primary/31?version=1"]);
  assert.deepEqual(
    [model, type, kernels.data[0], bias.data[0]],
    ["my net #2", 31, 3, 4],
  );
});
