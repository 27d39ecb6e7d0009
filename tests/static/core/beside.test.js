import assert from "node:assert/strict";
import { test } from "node:test";

import { besideWish, keepBeside } from "../../../static/js/core/beside.js";
import { blank, grey, says, settled, tensor } from "../fixtures.js";
import { MATRIX_MODEL as MATRIX, made, stateWith } from "../networks/matrix/made.js";

const MATRIX_MODEL = {
  ...MATRIX,
  can: { reconstruct: true, route: true, gradient: true },
  class_names: [..."0123456789"],
  input_shape: [1, 28, 28],
};
const PIXELS = grey(new Uint8Array(784).fill(1));
const CAPSNET = { ...MATRIX_MODEL, id: "capsnet", architecture: "capsnet" };
const FORM = { needs: ["routing.capsules"] };

const OPEN = {
  model: MATRIX_MODEL,
  view: "routing",
  opened: ["routing/beside"],
  pixels: PIXELS,
  models: [MATRIX_MODEL, CAPSNET],
};
const wish = (patch = {}) => besideWish({ ...stateWith(), ...OPEN, ...patch });
const besideOf = (pixels) => ({
  runs: [{ model: CAPSNET, form: FORM, trace: { pixels, tensors: {} } }],
  reason: "",
  tried: [],
});

test("another network is asked for while a panel shows both", () => {
  assert.deepEqual(wish(), { models: [CAPSNET], pixels: PIXELS });
  assert.equal(wish({ opened: [] }), null);
  assert.equal(wish({ view: "classes" }), null);
  assert.equal(wish({ pixels: null }), null);
});

test("what is known is not asked again, and another image is", () => {
  assert.equal(wish({ beside: besideOf(PIXELS) }), null);
  const other = blank();
  assert.deepEqual(wish({ beside: besideOf(other) }), {
    models: [CAPSNET],
    pixels: PIXELS,
  });
});

test("networks of the same kind, without routing or with other classes do not fit", () => {
  const reason = /no network of another kind/;
  const cnn = { ...CAPSNET, can: { ...CAPSNET.can, route: false } };
  const letters = { ...CAPSNET, class_names: [..."abcdefghij"] };
  assert.match(wish({ models: [MATRIX_MODEL] }), reason);
  assert.match(wish({ models: [MATRIX_MODEL, cnn, letters] }), reason);
  const told = { runs: [], reason: wish({ models: [MATRIX_MODEL] }), tried: [] };
  assert.equal(wish({ models: [MATRIX_MODEL], beside: told }), null);
});

test("one that reads images of another size is named, and why", () => {
  const large = { ...CAPSNET, title: "Large", input_shape: [1, 32, 32] };
  says(wish({ models: [large] }), "Large reads…32×32 pixels…of 28×28, so");
  assert.deepEqual(wish({ models: [large, CAPSNET] }).models, [CAPSNET]);
});

test("of every other kind one is asked for, and only those that are missing", () => {
  const attention = { ...CAPSNET, id: "attention", architecture: "efficient" };
  const models = [MATRIX_MODEL, CAPSNET, attention];
  assert.deepEqual(wish({ models }).models, [CAPSNET, attention]);
  const beside = besideOf(PIXELS);
  assert.deepEqual(wish({ models, beside }).models, [attention]);
  const tried = { ...beside, tried: [attention] };
  assert.equal(wish({ models, beside: tried }), null);
});

test("a network of the same data is preferred", () => {
  const card = { ...MATRIX_MODEL.card, dataset: "mnist" };
  const other = { ...CAPSNET, id: "b", card };
  const model = { ...MATRIX_MODEL, card };
  assert.deepEqual(wish({ model, models: [CAPSNET, other] }).models, [other]);
});

test("the trace comes with its form, asked for as its own page does", async () => {
  const { store } = made();
  store.set(OPEN);
  const asked = [];
  const server = {
    async fetchTrace(model, pixels, names) {
      asked.push([model.id, names]);
      return { pixels, tensors: { "routing.capsules": tensor([1], [0]) } };
    },
  };
  const load = async () => ({ routing: async () => ({ form: FORM }) });
  keepBeside(store, { server, guarded: (job) => job }, load);
  await settled();
  assert.deepEqual(asked, [["capsnet", ["routing.capsules"]]]);
  const [run] = store.get().beside.runs;
  assert.equal(run.form, FORM);
  assert.equal(run.trace.pixels, PIXELS);
});

test("a network without a form is said to have none, once", async () => {
  const { store } = made();
  store.set(OPEN);
  let loaded = 0;
  const load = async () => {
    loaded++;
    return {};
  };
  keepBeside(store, { server: {}, guarded: (job) => job }, load);
  await settled();
  assert.match(store.get().beside.reason, /does not describe its routing in terms/);
  store.set({ pixels: blank() });
  await settled();
  assert.equal(loaded, 1);
});
