import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeWish } from "../../../../../static/js/networks/capsnet/answers/reconstruction.js";
import { MODEL, OTHER_MODEL, tensor } from "../../../fixtures.js";

const CAPSULES = tensor([2, 3], [0.5, 0, -0.5, 1, 2, 3]);

const DECODING = {
  model: MODEL,
  trace: {
    model: MODEL.id,
    prediction: 1,
    tensors: { "digits.capsules": CAPSULES },
  },
  digit: null,
  edits: {},
  view: "reconstruction",
};

test("the capsule that the trace decoded itself is not decoded again", () => {
  assert.equal(decodeWish(DECODING), null);
  assert.equal(decodeWish({ ...DECODING, digit: 1 }), null);
});

test("another digit's capsule is decoded as the network found it", () => {
  assert.deepEqual(decodeWish({ ...DECODING, digit: 0 }), {
    model: MODEL,
    digit: 0,
    pose: [0.5, 0, -0.5],
  });
});

test("an edited capsule is decoded with its edits added, and no other's", () => {
  const edits = { 0: [9, 9, 9], 1: [0, 0.25, -1] };
  assert.deepEqual(decodeWish({ ...DECODING, edits }), {
    model: MODEL,
    digit: 1,
    pose: [1, 2.25, 2],
  });
});

for (const [what, patch] of Object.entries({
  "another view is open": { view: "digits" },
  "there is no trace": { trace: null },
  "the trace lacks the capsules": {
    trace: { model: MODEL.id, prediction: 1, tensors: {} },
  },
  "the trace is another model's": { model: OTHER_MODEL },
})) {
  test(`nothing is decoded while ${what}`, () => {
    assert.equal(decodeWish({ ...DECODING, digit: 0, ...patch }), null);
  });
}
