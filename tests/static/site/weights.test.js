import assert from "node:assert/strict";
import { test } from "node:test";
import { toSafetensors } from "../../../static/js/lib/safetensors.js";

globalThis.document = /** @type {any} */ ({
  baseURI: "https://host/site/",
  documentElement: { dataset: {} },
  createElement: () => ({}),
});
const { misfitsOf, openWeights } = await import("../../../static/js/site/weights.js");

const SMALL = [{ name: "conv.bias", shape: [2] }];
const LARGE = [...SMALL, { name: "W", shape: [3, 1] }];
const MODELS = [
  { id: "large", title: "Large", weights: LARGE, card: {} },
  { id: "small", title: "Small", weights: SMALL, card: {} },
];

/** @param {ArrayBuffer} bytes */
const opened = (bytes) =>
  openWeights(
    { name: "my.safetensors", arrayBuffer: async () => bytes },
    /** @type {any} */ (MODELS),
  );
const numbers = (/** @type {number[]} */ ...data) => ({
  shape: [data.length],
  data: Float32Array.from(data),
});

test("what does not fit is told by name and shape", () => {
  const places = { "conv.bias": { shape: [4] }, extra: { shape: [] } };
  assert.deepEqual(misfitsOf(/** @type {any} */ (places), LARGE), [
    "conv.bias must be 2, got 4",
    "it lacks W of 3 × 1",
    "it holds extra of one number, which is not of it",
  ]);
});

for (const [what, bytes, message] of [
  ["a damaged file", new ArrayBuffer(4), /“my.safetensors” cannot be opened: no safet/],
  [
    "tensors of the nearest network, in another shape",
    toSafetensors({ "conv.bias": numbers(1) }, {}),
    /fits no network of this page\. For Small, conv\.bias must be 2, got 1\.$/,
  ],
  [
    "many other tensors",
    toSafetensors({ a: numbers(1), b: numbers(1), c: numbers(1) }, {}),
    /For Small, it lacks conv\.bias of 2, it holds a of 1, .*and 1 more do not fit\.$/,
  ],
  [
    "what is no number",
    toSafetensors({ "conv.bias": numbers(1, Number.NaN) }, {}),
    /opened: conv\.bias holds values that are not finite\.$/,
  ],
])
  test(`${what}: refused in a sentence`, async () => {
    await assert.rejects(opened(bytes), { message });
  });
