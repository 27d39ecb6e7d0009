/** Images that a link names, and leaves out: links stay short in every view. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { withNamed } from "../../../static/js/core/address.js";
import {
  fromHash,
  namedIn,
  sampleSource,
  toHash,
} from "../../../static/js/core/link.js";
import { pairSource } from "../../../static/js/core/links/pairs.js";
import { toySource } from "../../../static/js/core/links/toys.js";
import { withAnother } from "../../../static/js/core/pair.js";
import { startOf } from "../../../static/js/core/schema.js";
import { fittedTo, initialState, viewIds } from "../../../static/js/core/state.js";
import { EXPERIMENTS } from "../../../static/js/lab/registry.js";
import { apart, merged } from "../../../static/js/lib/overlap.js";
import { pack, pixelsOf, samePixels } from "../../../static/js/lib/pixels.js";
import { MODEL, randomPixels, seededRandom } from "../fixtures.js";
import * as NETWORKS from "../networks/networks.js";
import { READS_PHOTOGRAPHS, READS_TOYS, SCENE } from "../toys/fixtures.js";

const MOST = 2000; // characters

const random = seededRandom(5);
/** Pixels of which none is empty, as those of a photograph. */
const photograph = (seed) => {
  const next = seededRandom(seed);
  const { channels, rows, columns, bytes } = pixelsOf({
    channels: 3,
    rows: 32,
    columns: 32,
  });
  const all = bytes.map(() => 1 + Math.floor(255 * next()));
  return { channels, rows, columns, bytes: all };
};
const SAMPLES = [4, 0].map((label) => ({
  id: `digit-${label}`,
  label,
  title: String(label),
  pixels: randomPixels(random),
}));
const PAIRS = {
  ...MODEL,
  id: "pairs",
  input_shape: [1, 36, 36],
  default: false,
  present: { at_most: 2, threshold: 0.5 },
  card: { ...MODEL.card, dataset: "overlapping" },
};
const TOYS = { ...MODEL, ...READS_TOYS, id: "toys", classes: 5, default: false };
const COLOUR = { ...MODEL, ...READS_PHOTOGRAPHS, id: "colour", default: false };
const CANVAS = { channels: 1, rows: 36, columns: 36 };

const dataset = (index) => ({ kind: "dataset", id: "cifar10-test", index, label: 3 });
const toy = (more) => toySource({ ...SCENE, ...more });
const drawn = (digits) => ({
  pixels: merged(apart(digits, CANVAS)),
  source: pairSource(digits),
});
const OWN = { pixels: randomPixels(random), label: null, right: 2, down: -3 };
const laid = ({ pixels, label }, right) => ({ pixels, label, right, down: 0 });

/** The page's own images of each kind of network, and one to compare with. */
const SHOWN = [
  [MODEL, SAMPLES.map((each) => ({ pixels: each.pixels, source: sampleSource(each) }))],
  [
    MODEL,
    [7, 8].map((index) => ({
      pixels: randomPixels(random),
      source: { kind: "dataset", id: "mnist-test", index, label: 4 },
    })),
  ],
  [
    PAIRS,
    [
      drawn([laid(SAMPLES[0], -3), laid(SAMPLES[1], 4)]),
      drawn([OWN, laid(SAMPLES[1], 0)]),
    ],
  ],
  [
    TOYS,
    [{ hidden: "left" }, { ground: "cluttered" }].map((more) => ({
      pixels: photograph(1),
      source: toy(more),
    })),
  ],
  [
    COLOUR,
    [2, 3].map((seed) => ({ pixels: photograph(seed), source: toy({ tint: "red" }) })),
  ],
  [COLOUR, [4, 5].map((seed) => ({ pixels: photograph(seed), source: dataset(seed) }))],
];

const stateOf = (model, network) => ({
  ...initialState(),
  models: [MODEL, PAIRS, TOYS, COLOUR],
  model,
  network,
  samples: SAMPLES,
  experiments: EXPERIMENTS,
  slices: { [model.id]: startOf(network.schema(model)) },
});

for (const [name, network] of Object.entries(NETWORKS).filter(([, each]) => each.views))
  test(`a link to any view of ${name} has at most ${MOST} characters`, () => {
    for (const [model, [shown, kept]] of SHOWN) {
      const state = { ...stateOf(model, network), ...shown, kept };
      for (const view of [...viewIds(network), "compare"])
        for (const mode of ["explore", "atlas", "train"]) {
          const folds = network.views.find(({ id }) => id === view)?.folds ?? {};
          const opened = Object.keys(folds).map((panel) => `${view}/${panel}`);
          const { length } = toHash({ ...state, view, mode, opened });
          assert.ok(length <= MOST, `${model.id} ${view} ${mode}: ${length}`);
        }
      for (const { id, schema } of EXPERIMENTS) {
        const off = state.models.map((each) => each.id);
        const lab = { experiment: id, off, slices: { [id]: startOf(schema) } };
        const { length } = toHash({ ...state, mode: "lab", lab });
        assert.ok(length <= MOST, `${model.id} ${id}: ${length}`);
      }
    }
  });

test("links of earlier versions bring pixels along, and show them", () => {
  const state = stateOf(COLOUR, NETWORKS.capsnet);
  const pixels = photograph(6);
  const link = `model=colour&of=cifar10-test/6/3&image=${pack(pixels)}&kept-toy=car.2000.320.40.1.plain.nothing&kept-image=${pack(pixels)}`;
  const read = fromHash(link, state);
  assert.deepEqual([read.pixels, read.source], [pixels, dataset(6)]);
  assert.deepEqual(read.kept.pixels, pixels);
  assert.equal(read.kept.source.kind, "toy");
  assert.deepEqual(read.unread, []);
  assert.deepEqual(namedIn(link, state), { shown: null, kept: null });
});

test("what a link names is brought, or told to be missing", async () => {
  const linked = { unread: ["the step"], pixels: null, source: dataset(1), kept: null };
  const named = { shown: dataset(1), kept: toy({}) };
  const found = await withNamed(linked, named, async ({ kind }) =>
    photograph(kind.length),
  );
  assert.deepEqual(found.unread, ["the step"]);
  assert.deepEqual(found.pixels, photograph("dataset".length));
  assert.deepEqual(found.source, dataset(1));
  assert.deepEqual(found.kept, {
    pixels: photograph("toy".length),
    source: named.kept,
  });

  const none = await withNamed(linked, named, () => Promise.reject(new Error("404")));
  assert.deepEqual(none.unread, [
    "the step",
    "the test image (its data set is not in the data folder)",
    "the image to compare with",
  ]);
  assert.deepEqual(
    [none.pixels, none.source, none.kept],
    [null, { kind: "link" }, null],
  );
});

test("an example with another laid over it stays that example", () => {
  const [sample] = SAMPLES;
  const shown = fittedTo(sample.pixels, PAIRS);
  const digits = withAnother(shown, sampleSource(sample), PAIRS, SAMPLES);
  assert.ok(samePixels(digits[0].pixels, sample.pixels));
  const [alone] = apart([digits[0], null], CANVAS);
  assert.deepEqual(alone.bytes, shown.bytes, "it lies where it lay");
  const link = new URLSearchParams(
    toHash({ ...stateOf(PAIRS, NETWORKS.capsnet), ...drawn(digits) }),
  );
  assert.deepEqual(link.getAll("pair"), ["0.0.digit-4", "4.0.digit-0"]);
});
