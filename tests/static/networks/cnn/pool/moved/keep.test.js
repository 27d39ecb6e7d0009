import assert from "node:assert/strict";
import { test } from "node:test";

import { createStore } from "../../../../../../static/js/core/store.js";
import {
  keepMoved,
  movedTrace,
  movedWish,
} from "../../../../../../static/js/networks/cnn/pool/moved/keep.js";
import { UNMOVED } from "../../../../../../static/js/networks/cnn/pool/moved/shift.js";
import { NEEDS } from "../../../../../../static/js/networks/cnn/pool/needs.js";
import { grey, settled } from "../../../../fixtures.js";

const MODEL = { id: "cnn" };
const PIXELS = grey([1, 2, 3, 4]);
const RIGHT = { down: 0, right: 1 };
const STATE = {
  model: MODEL,
  view: "pool1",
  pixels: PIXELS,
  shift: RIGHT,
  moved: null,
};

test("a moved image is asked for where pooling is looked at, and only there", () => {
  const wish = movedWish(STATE);
  assert.deepEqual([...wish.pixels.bytes], [0, 1, 0, 3]);
  assert.deepEqual(wish.names, NEEDS.pool1);
  assert.deepEqual(movedWish({ ...STATE, view: "pool2" }).names, NEEDS.pool2);
  for (const change of [{ view: "conv1" }, { pixels: null }, { shift: UNMOVED }])
    assert.equal(movedWish({ ...STATE, ...change }), null);
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
  keepMoved(store, { server, guarded: (job) => job });
  return { store, asked };
}

test("a layer asks for what the other has not brought, of the same pass", async () => {
  const { store, asked } = setUp();
  asked[0].answer();
  await settled();
  const { moved } = store.get();
  assert.equal(moved.from, PIXELS);
  const trace = { pixels: PIXELS };
  assert.equal(movedTrace({ ...store.get(), trace }, NEEDS.pool1), moved.trace);
  assert.equal(movedTrace({ ...store.get(), trace }, NEEDS.pool2), null);
  store.set({ view: "pool2" });
  assert.deepEqual(asked[1].names, ["conv2.relu", "pool2", "pool2.winners"]);
  assert.equal(asked[1].pixels, moved.trace.pixels);
  asked[1].answer();
  await settled();
  assert.ok(movedTrace({ ...store.get(), trace }, NEEDS.pool2));
  assert.ok(movedTrace({ ...store.get(), trace }, NEEDS.pool1));
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
  assert.equal(movedTrace({ ...store.get(), trace }, NEEDS.pool1), null);
});
