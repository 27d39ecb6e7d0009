import assert from "node:assert/strict";
import { test } from "node:test";

import { keepFirstKernels } from "../../../../../static/js/convolution/first-kernels.js";
import {
  keepPrimaryKernels,
  primaryKernelsWish,
} from "../../../../../static/js/networks/capsnet/answers/kernels.js";
import {
  float32Bytes,
  MODEL,
  OTHER_MODEL,
  safetensorsFile,
  settled,
} from "../../../fixtures.js";
import { made } from "../made.js";

/** A server that answers by hand. `asked` holds what it has not answered yet. */
function slowServer(t) {
  const asked = [];
  t.mock.method(
    globalThis,
    "fetch",
    (path) => new Promise((resolve) => asked.push({ path, resolve })),
  );
  return {
    asked,
    async answer(path, file) {
      const place = asked.findIndex((each) => each.path === path);
      assert.ok(place >= 0, `${path} is not among ${asked.map((each) => each.path)}`);
      const [{ resolve }] = asked.splice(place, 1);
      resolve(new Response(file));
      for (let turn = 0; turn < 3; turn++) await settled();
    },
  };
}

const PATH = "/api/models/capsnet/kernels?version=1";
const OTHER_PATH = "/api/models/my%20net%20%232/kernels?version=1";

function fileOf(value) {
  return safetensorsFile([
    ["conv1.kernels", "F32", [1], float32Bytes([value])],
    ["conv1.bias", "F32", [1], float32Bytes([value])],
  ]);
}

test("kernels that come after another network was chosen are there on the way back", async (t) => {
  const server = slowServer(t);
  const { store, own, services } = made();
  const { network } = store.get();
  keepFirstKernels(own, services);
  store.set({ model: OTHER_MODEL, network: { ...network } });
  await server.answer(PATH, fileOf(1));
  assert.equal(own.get(), null);
  store.set({ model: MODEL, network });
  assert.deepEqual([...own.get().kernels.kernels.data], [1]);
  assert.deepEqual(server.asked, []);
});

test("late kernels of another model are not shown", async (t) => {
  const server = slowServer(t);
  const { own, actions, services } = made();
  keepFirstKernels(own, services);
  await actions.useModel(OTHER_MODEL);
  await server.answer(PATH, fileOf(1));
  assert.equal(own.get().kernels, null);
  await server.answer(OTHER_PATH, fileOf(2));
  assert.deepEqual([...own.get().kernels.kernels.data], [2]);
});

test("kernels are fetched once for each model", async (t) => {
  const server = slowServer(t);
  const { own, actions, services } = made();
  keepFirstKernels(own, services);
  await server.answer(PATH, fileOf(1));
  await actions.useModel(OTHER_MODEL);
  await server.answer(OTHER_PATH, fileOf(2));
  await actions.useModel(MODEL);
  assert.deepEqual(server.asked, []);
  assert.deepEqual([...own.get().kernels.kernels.data], [1]);
});

const LOOKING = { model: MODEL, view: "primary", capsule: 36, primaryKernels: null };

test("the kernels of the chosen capsule's type are asked for while it is looked at", () => {
  assert.deepEqual(primaryKernelsWish(LOOKING), { model: MODEL, type: 1 });
  assert.equal(primaryKernelsWish({ ...LOOKING, view: "conv1" }), null);
  const routing = { ...LOOKING, view: "routing" };
  assert.equal(primaryKernelsWish({ ...routing, seesTree: false }), null);
  const seen = primaryKernelsWish({ ...routing, seesTree: true });
  assert.deepEqual(seen, { model: MODEL, type: 1 });
});

test("kernels that are here are not asked for again, those of another type are", () => {
  const here = { ...LOOKING, primaryKernels: { type: 1 } };
  assert.equal(primaryKernelsWish(here), null);
  const other = { ...LOOKING, primaryKernels: { type: 0 } };
  assert.deepEqual(primaryKernelsWish(other), { model: MODEL, type: 1 });
});

test("the kernels of a type are asked for with the model's version", async (t) => {
  const server = slowServer(t);
  const { own, services } = made({ view: "primary", capsule: 1151 }, OTHER_MODEL);
  keepPrimaryKernels(own, services);
  const file = safetensorsFile([
    ["primary.kernels", "F32", [1], float32Bytes([3])],
    ["primary.bias", "F32", [1], float32Bytes([4])],
  ]);
  await server.answer("/api/models/my%20net%20%232/kernels/primary/31?version=1", file);
  const { type, kernels, bias } = own.get().primaryKernels;
  assert.deepEqual([type, kernels.data[0], bias.data[0]], [31, 3, 4]);
});
