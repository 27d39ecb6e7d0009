import assert from "node:assert/strict";
import { test } from "node:test";
import { keepKernels } from "../../../../../static/js/kinds/routing/dynamic/tree/kernels.js";
import { settled, tensor } from "../../../fixtures.js";

test("the kernels of a type are fetched while it is looked at, and once", async () => {
  const asked = [];
  const model = { id: "m" };
  let state = { model, view: "primary", type: 1, kernels: null };
  const checks = [];
  const set = (patch) => {
    state = { ...state, ...patch };
    for (const check of checks) check();
  };
  const store = {
    get: () => state,
    subscribe: (check) => checks.push(check),
    keep: (_model, patch) => set(patch),
  };
  const server = {
    async fetchOwnTensors(_model, path) {
      asked.push(path);
      return { "primary.kernels": tensor([1], [3]), "primary.bias": tensor([1], [4]) };
    },
  };
  keepKernels(
    store,
    { server, guarded: (job) => job },
    { id: "primary" },
    ({ view, type }) => (view === "primary" ? type : null),
  );
  await settled();
  set({ view: "conv1" });
  set({ type: 0 });
  set({ type: 1, view: "primary" });
  await settled();
  assert.deepEqual(asked, ["kernels/primary/1"]);
  assert.deepEqual([state.kernels.type, state.kernels.bias.data[0]], [1, 4]);
  set({ type: 0 });
  await settled();
  assert.deepEqual(asked, ["kernels/primary/1", "kernels/primary/0"]);
});
