/** A model about which nothing is as in MNIST, in its links. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { fromHash, modelIn, toHash } from "../../../static/js/core/link.js";
import { initialState } from "../../../static/js/core/state.js";
import { pixelsOf } from "../../../static/js/lib/pixels.js";
import { MODEL, seededRandom } from "../fixtures.js";
import { capsnet as network } from "../networks/networks.js";

const SHAPES = {
  "conv1.pre": [6, 16, 20],
  "primary.pre": [3, 6, 8, 4],
  "primary.capsules": [3, 6, 8, 4],
  "primary.lengths": [3, 6, 8],
  "routing.logits": [3, 3, 6, 8, 5],
  "digits.capsules": [5, 7],
  "digits.lengths": [5],
  reconstruction: [3, 20, 24],
};
const TOYS = {
  ...MODEL,
  id: "toys",
  default: false,
  classes: 5,
  class_names: ["animal", "man", "plane", "truck", "car"],
  input_shape: [3, 20, 24],
  present: { at_most: 2, threshold: 0.5 },
  pose_dim: 7,
  tensors: Object.entries(SHAPES).map(([name, shape]) => ({ name, shape })),
};
const models = [MODEL, TOYS];

/** An image of any bytes, as the model reads it. */
function noise(seed) {
  const random = seededRandom(seed);
  const pixels = pixelsOf({ channels: 3, rows: 20, columns: 24 });
  return { ...pixels, bytes: pixels.bytes.map(() => Math.floor(256 * random())) };
}

test("image, kept image and every choice come back from a link", () => {
  const pixels = noise(1);
  const kept = { pixels: noise(2), source: { kind: "link" } };
  const known = { ...initialState(), models, model: TOYS, network };
  const { slices } = fromHash("", known);
  const own = { ...slices.toys, map: 5, pixel: 319, capsule: 143 };
  own.followsStrongest = false;
  const state = { ...known, pixels, kept, slices: { toys: own }, view: "primary" };
  const hash = toHash(state);
  assert.equal(modelIn(hash, models), TOYS);
  assert.ok(hash.length < 2 * 2 * 1440 + 200);
  const said = fromHash(hash, known);
  assert.deepEqual(said.unread, []);
  assert.deepEqual([said.pixels, said.kept], [pixels, kept]);
  assert.deepEqual(said.slices.toys, own);
});
