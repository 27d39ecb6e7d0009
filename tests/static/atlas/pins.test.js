import assert from "node:assert/strict";
import { test } from "node:test";

import { createPins } from "../../../static/js/atlas/pins.js";
import { grey } from "../fixtures.js";

const MODEL = { id: "net", input_shape: [1, 2, 2], card: { data: "mnist" } };
const sampleOf = (id, bytes) => ({ id, label: 1, title: id, pixels: grey(bytes) });
const [A, B, C] = [
  ...["a", "b"].map((id, i) => sampleOf(id, [i, 0, 0, 0])),
  sampleOf("c", [9, 9, 9, 9]),
];

/** Places samples by what is nearest to their first pixel. */
function pinning(nearest) {
  const requests = [];
  const pinned = createPins(
    {
      fetchNearest: async (_, { bytes }) => {
        requests.push(bytes[0]);
        return [{ index: nearest[bytes[0]] }];
      },
    },
    () => {},
    () => "canvas",
  );
  return { ...pinned, asked: requests };
}

test("each sample stands where the test image most like it does, and is asked for once", async () => {
  const { pin, of, asked: requests } = pinning({ 0: 7, 1: 3 });
  const model = { ...MODEL, card: { dataset: "mnist" } };
  await pin(model, [A, B]);
  await pin(model, [A, B]);
  assert.deepEqual(
    of(model).map(({ sample, index }) => [sample.id, index]),
    [
      ["a", 7],
      ["b", 3],
    ],
  );
  assert.deepEqual(requests, [0, 1]);
});

test("one place has one picture", async () => {
  const { pin, of } = pinning({ 0: 7, 1: 7, 9: 2 });
  const model = { ...MODEL, card: { dataset: "mnist" } };
  await pin(model, [A, B, C]);
  assert.deepEqual(
    of(model).map(({ index }) => index),
    [7, 2],
  );
});

test("a network of other images, or of another size, has none", async () => {
  const { pin, of, asked: requests } = pinning({ 0: 7 });
  for (const change of [{ card: { dataset: "cifar10" } }, { input_shape: [1, 3, 3] }]) {
    const model = {
      ...MODEL,
      card: { dataset: "mnist" },
      ...change,
      id: String(requests),
    };
    await pin(model, [A]);
    assert.deepEqual(of(model), []);
  }
  assert.deepEqual(requests, []);
});
