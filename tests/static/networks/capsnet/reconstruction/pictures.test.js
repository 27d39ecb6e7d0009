import assert from "node:assert/strict";
import { test } from "node:test";

import { picturesOf } from "../../../../../static/js/networks/capsnet/reconstruction/pictures.js";

const TRACE = {
  prediction: 4,
  pixels: Uint8Array.of(255, 0),
  tensors: {
    reconstruction: { shape: [1, 2], data: Float32Array.of(0.5, 0.5) },
    "digits.capsules": { shape: [10, 1], data: new Float32Array(10).fill(0.25) },
  },
};
const DECODED = { digit: 7, pose: [0.25], data: Float32Array.of(0, 1) };
const START = { trace: TRACE, digit: null, edits: {}, decoded: null };

test("the network's own capsule needs no further answer", () => {
  const pictures = picturesOf(START);
  assert.deepEqual([...pictures.reconstruction], [0.5, 0.5]);
  assert.deepEqual([...pictures.difference], [-0.5, 0.5]);
  assert.equal(pictures.isCurrent, true);
});

test("another digit shows nothing until it is decoded", () => {
  assert.equal(picturesOf({ ...START, digit: 7 }), null);
});

test("another digit's answer is shown", () => {
  const pictures = picturesOf({ ...START, digit: 7, decoded: DECODED });
  assert.deepEqual([...pictures.reconstruction], [0, 1]);
  assert.equal(pictures.isCurrent, true);
});

test("an answer to an earlier edit, or for another digit, is known to be late", () => {
  const edited = { ...START, digit: 7, edits: { 7: [0.5] }, decoded: DECODED };
  assert.equal(picturesOf(edited).isCurrent, false);
  assert.equal(picturesOf({ ...edited, edits: {} }).isCurrent, true);
  assert.equal(picturesOf({ ...edited, edits: {}, digit: 6 }).isCurrent, false);
  const answered = { ...DECODED, pose: [0.75] };
  assert.equal(picturesOf({ ...edited, decoded: answered }).isCurrent, true);
});
