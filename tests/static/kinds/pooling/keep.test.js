import assert from "node:assert/strict";
import { test } from "node:test";

import { createStore } from "../../../../static/js/core/store.js";
import { pooling } from "../../../../static/js/kinds/pooling/index.js";
import {
  keepMoved,
  movedTrace,
  movedWish,
} from "../../../../static/js/kinds/pooling/keep.js";
import { UNMOVED } from "../../../../static/js/lib/shift.js";
import { grey, settled } from "../../fixtures.js";

const MODEL = { id: "cnn" };
const PIXELS = grey([1, 2, 3, 4]);
const STATE = {
  model: MODEL,
  view: "lower",
  pixels: PIXELS,
  shift: { down: 0, right: 1 },
  moved: null,
};
const layer = (id) => ({
  id,
  kind: pooling,
  tensors: { below: `${id}.in`, values: id, winners: `${id}.won`, scores: "scores" },
});
const [LOWER, UPPER] = ["lower", "upper"].map(layer);

test("a moved image is asked for where pooling is looked at, and only there", () => {
  const wish = movedWish(STATE, LOWER);
  assert.deepEqual([...wish.pixels.bytes], [0, 1, 0, 3]);
  assert.deepEqual(wish.names, ["lower.in", "lower", "lower.won", "scores"]);
  assert.equal(movedWish(STATE, UPPER), null);
  for (const change of [{ view: "first" }, { pixels: null }, { shift: UNMOVED }])
    assert.equal(movedWish({ ...STATE, ...change }, LOWER), null);
});

/** A store whose server answers when it is told to. */
function setUp() {
  const store = createStore(STATE);
  const asked = [];
  const server = {
    fetchTrace: (model, pixels, names) =>
      new Promise((resolve) => {
        const tensors = Object.fromEntries(names.map((name) => [name, { of: pixels }]));
        asked.push({
          pixels,
          names,
          answer: () => resolve({ model: model.id, pixels, options: {}, tensors }),
        });
      }),
  };
  for (const each of [LOWER, UPPER])
    keepMoved(store, { server, guarded: (job) => job }, each);
  return { store, asked };
}

test("a layer asks for what the other has not brought, of the same pass", async () => {
  const { store, asked } = setUp();
  asked[0].answer();
  await settled();
  const { moved } = store.get();
  assert.equal(moved.from, PIXELS);
  const trace = { pixels: PIXELS };
  assert.equal(movedTrace({ ...store.get(), trace }, LOWER), moved.trace);
  assert.equal(movedTrace({ ...store.get(), trace }, UPPER), null);
  store.set({ view: "upper" });
  assert.deepEqual(asked[1].names, ["upper.in", "upper", "upper.won"]);
  assert.equal(asked[1].pixels, moved.trace.pixels);
  asked[1].answer();
  await settled();
  assert.ok(movedTrace({ ...store.get(), trace }, UPPER));
  assert.ok(movedTrace({ ...store.get(), trace }, LOWER));
});

test("a late answer never stands beside a newer move or image", async () => {
  const { store, asked } = setUp();
  store.set({ shift: { down: 1, right: 1 } });
  asked[0].answer();
  await settled();
  assert.equal(store.get().moved, null);
  assert.deepEqual([...asked[1].pixels.bytes], [0, 0, 0, 1]);
  store.set({ pixels: grey([9, 9, 9, 9]) });
  asked[1].answer();
  await settled();
  assert.equal(store.get().moved, null);
  asked[2].answer();
  await settled();
  assert.deepEqual([...store.get().moved.trace.pixels.bytes], [0, 0, 0, 9]);
  const trace = { pixels: PIXELS };
  assert.equal(movedTrace({ ...store.get(), trace }, LOWER), null);
});
