import assert from "node:assert/strict";
import { test } from "node:test";

import { createPinned } from "../../../static/js/atlas/pinned.js";
import { grey } from "../fixtures.js";

const MODEL = { id: "net", input_shape: [1, 2, 2], card: { data: "mnist" } };
const sampleOf = (id, bytes) => ({ id, label: 1, title: id, pixels: grey(bytes) });
const [A, B, C] = [
  ...["a", "b"].map((id, i) => sampleOf(id, [i, 0, 0, 0])),
  sampleOf("c", [9, 9, 9, 9]),
];

/** Places samples by what is nearest to their first pixel. */
function pinning(nearest) {
  const asked = [];
  const pinned = createPinned(
    {
      fetchNearest: async (_, { bytes }) => {
        asked.push(bytes[0]);
        return [{ index: nearest[bytes[0]] }];
      },
    },
    () => {},
    () => "canvas",
  );
  return { ...pinned, asked };
}

test("each sample stands where the test image most like it does, and is asked for once", async () => {
  const { pin: place, of, asked } = pinning({ 0: 7, 1: 3 });
  const model = { ...MODEL, card: { dataset: "mnist" } };
  await place(model, [A, B]);
  await place(model, [A, B]);
  assert.deepEqual(
    of(model).map(({ sample, index }) => [sample.id, index]),
    [
      ["a", 7],
      ["b", 3],
    ],
  );
  assert.deepEqual(asked, [0, 1]);
});

test("one place has one picture", async () => {
  const { pin: place, of } = pinning({ 0: 7, 1: 7, 9: 2 });
  const model = { ...MODEL, card: { dataset: "mnist" } };
  await place(model, [A, B, C]);
  assert.deepEqual(
    of(model).map(({ index }) => index),
    [7, 2],
  );
});

test("a network of other images, or of another size, has none", async () => {
  const { pin: place, of, asked } = pinning({ 0: 7 });
  for (const change of [{ card: { dataset: "cifar10" } }, { input_shape: [1, 3, 3] }]) {
    const model = {
      ...MODEL,
      card: { dataset: "mnist" },
      ...change,
      id: String(asked),
    };
    await place(model, [A]);
    assert.deepEqual(of(model), []);
  }
  assert.deepEqual(asked, []);
});
