import assert from "node:assert/strict";
import { test } from "node:test";
import { startOf } from "../../../../static/js/core/schema.js";
import { legibilityFacts } from "../../../../static/js/kinds/legibility.js";
import { MODEL, OTHER_MODEL, SIZES, says } from "../../fixtures.js";
import { capsnet as network } from "../networks.js";
import { made } from "./made.js";

const SAMPLE = { kind: "sample", id: "a4", label: 4, title: "a four" };

/** What a unit of a layer sees. */
const fieldIn = (id, row, column) =>
  network.views
    .find((view) => view.id === id)
    .thumbnail.hover.field(MODEL, row, column);

/** Input rows that a capsule's row reaches through both convolutions, one by one. */
function rowsBehind(row) {
  const rows = new Set();
  for (let primary = 0; primary < SIZES.kernel_size; primary++) {
    const conv1Row = row * SIZES.primary_stride + primary;
    for (let conv1 = 0; conv1 < SIZES.kernel_size; conv1++) rows.add(conv1Row + conv1);
  }
  return [...rows].sort((a, b) => a - b);
}

test("a capsule's field is what both convolutions reach, no more and no less", () => {
  for (let row = 0; row < 6; row++) {
    const field = fieldIn("primary", row, 5 - row);
    assert.deepEqual(field, { row: 2 * row, column: 2 * (5 - row), size: 17 });
    assert.deepEqual(
      rowsBehind(row),
      Array.from({ length: field.size }, (_, i) => field.row + i),
    );
  }
});

test("what is first in focus is in the middle", () => {
  const { map, pixel, capsule, dimension, centre } = startOf(network.schema(MODEL));
  assert.deepEqual([map, dimension], [0, 0]);
  assert.deepEqual([pixel, capsule, centre], [10 * 20 + 10, 3 * 6 + 3, 14 * 28 + 14]);
});

test("edits and surgery outlive a change of image", () => {
  const edits = { 4: [0.25] };
  const surgery = { silenced: [3], routing: "agreement", pins: [] };
  const { own, actions } = made({ edits, surgery });
  actions.showImage(new Uint8Array(784), SAMPLE);
  assert.equal(own.get().edits, edits);
  assert.equal(own.get().surgery, surgery);
});

test("another model begins without what was chosen in the one before", () => {
  const chosen = {
    ...{ step: 1, map: 12, pixel: 399, capsule: 1151, edits: { 4: [1] } },
    surgery: { silenced: [3], routing: "agreement", pins: [] },
    ...{ showsOperated: true, operated: {}, decoded: {}, weights: { a: 1 } },
  };
  const before = { ...startOf(network.schema(MODEL)), ...chosen };
  assert.deepEqual(
    startOf(network.schema(OTHER_MODEL), before),
    startOf(network.schema(OTHER_MODEL)),
  );
  const { iterations, step } = startOf(network.schema(OTHER_MODEL));
  assert.deepEqual([iterations, step], [2, 2]);
});

test("another model is looked at as the one before was, with one's own kernel", () => {
  const looks = {
    kernel: { size: 1, weights: [1], bias: 0 },
    conv1: { shown: "own", order: "energy", scale: "tile" },
    sliders: "principal",
  };
  const before = { ...startOf(network.schema(MODEL)), ...looks, dimension: 5 };
  const slice = startOf(network.schema(OTHER_MODEL), before);
  for (const [key, look] of Object.entries(looks)) assert.equal(slice[key], look, key);
  assert.equal(slice.dimension, 0);
});

const LEGIBILITY = {
  voters: 27.44,
  types: 6.06,
  largest_share: 0.0893,
  heard_coupling: 0.254,
  blank_share: 0.041,
  empty_length: 0.0512,
  saturated: 0.0126,
  conv1_alive: 0.951,
  conv1_bright: 0.0437,
};

const LAYERS = [
  { kind: { name: "convolution" }, title: "Conv1" },
  { kind: { name: "capsules" }, title: "PrimaryCaps", form: "vectors" },
];

test("a card with figures tells them, each under what it is of", () => {
  const facts = legibilityFacts({ card: { legibility: LEGIBILITY } }, LAYERS);
  assert.deepEqual(
    facts.map(([name]) => name),
    ["Routing", "Empty image", "PrimaryCaps", "Conv1"],
  );
  const [routing, empty, primary, conv1] = facts.map(([, words]) => words);
  says(routing, "27.4…6.1 types…9 %…0.25");
  assert.match(empty, /would give too: 4\u202f%; .* length 0\.05/);
  assert.match(primary, /^1\.3\u202f% of the capsules/);
  assert.match(conv1, /^95\u202f% of the maps .*; 4\.4\u202f% of all values/);
});

test("a card without figures tells nothing", () => {
  assert.deepEqual(legibilityFacts({ card: {} }, LAYERS), []);
});
