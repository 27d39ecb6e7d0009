import assert from "node:assert/strict";
import { test } from "node:test";

import { withFittingImages } from "../../../static/js/core/state.js";
import { createStore } from "../../../static/js/core/store.js";
import { randomPixels, seededRandom } from "../fixtures.js";

const modelOf = (side) => ({
  input_shape: [1, side, side],
  present: { at_most: 1, threshold: null },
});
const [PAPERS, SMALL, TINY] = [28, 16, 7].map(modelOf);

function begin(state) {
  const store = createStore({ kept: null, ...state }, withFittingImages);
  const seen = [];
  store.watch(["pixels", "model"], ({ pixels }) =>
    seen.push(pixels?.bytes.length ?? 0),
  );
  return { store, seen };
}

test("views see images of the network's size only", () => {
  const { store, seen } = begin({
    pixels: randomPixels(seededRandom(1)),
    model: SMALL,
  });
  store.set({ model: TINY });
  store.set({ pixels: randomPixels(seededRandom(2)) });
  assert.deepEqual(seen, [256, 49, 49]);
});

test("the kept image is fitted, too, and comes back whole", () => {
  const kept = { pixels: randomPixels(seededRandom(3)), source: { kind: "drawing" } };
  const { store } = begin({ pixels: null, kept, model: TINY });
  assert.equal(store.get().kept.pixels.bytes.length, 49);
  assert.equal(store.get().kept.source, kept.source);
  store.set({ model: PAPERS });
  assert.equal(store.get().kept.pixels, kept.pixels);
});

test("back at the first network, the image is the one that was given", () => {
  const pixels = randomPixels(seededRandom(1));
  const { store } = begin({ pixels, model: PAPERS });
  for (const model of [SMALL, TINY, PAPERS]) store.set({ model });
  assert.equal(store.get().pixels, pixels);
});
