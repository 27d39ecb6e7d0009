import assert from "node:assert/strict";
import { test } from "node:test";

import { startingPlaces } from "../../static/js/geometry/receptive-field.js";
import { pack } from "../../static/js/lib/pixels.js";
import { fromHash, LINKED, sampleSource, toHash } from "../../static/js/link.js";
import { initialState, VIEWS } from "../../static/js/state.js";
import { MODEL, OTHER_MODEL, randomPixels, SIZES, seededRandom } from "./fixtures.js";

const SAMPLE = {
  id: "mnist-4",
  label: 4,
  title: "a four",
  source: "test set",
  pixels: randomPixels(seededRandom(4)),
};
const KNOWN = { samples: [SAMPLE], models: [MODEL, OTHER_MODEL] };
const DEFAULTS = {
  model: MODEL,
  view: "input",
  iterations: 3,
  step: 3,
  digit: null,
  map: 0,
  pixel: 210, // the middle of 20 x 20
  capsule: 21, // the middle of 6 x 6, type 0
  edits: {},
};
const PLAIN = { ...initialState(), ...startingPlaces(SIZES), model: MODEL };
const EDIT = Array.from({ length: 16 }, (_, i) =>
  i === 3 ? 0.12 : i === 7 ? -0.05 : 0,
);

function linkedOf(state) {
  return Object.fromEntries(LINKED.map((key) => [key, state[key]]));
}

for (const [what, patch] of Object.entries({
  view: { view: "routing" },
  image: { pixels: SAMPLE.pixels },
  sample: { pixels: SAMPLE.pixels, source: sampleSource(SAMPLE) },
  "digit of a data set": {
    pixels: SAMPLE.pixels,
    source: { kind: "dataset", id: "mnist-test", index: 9999, label: 9 },
  },
  iterations: { iterations: 10, step: 10 },
  step: { iterations: 5, step: 1 },
  digit: { digit: 0 },
  map: { map: 255 },
  pixel: { pixel: 399 },
  capsule: { capsule: 1151 },
  edits: { edits: { 4: EDIT, 0: EDIT.toReversed() } },
  "model that is not the default": { model: OTHER_MODEL },
})) {
  test(`a link keeps the ${what}`, () => {
    const state = { ...PLAIN, ...patch };
    const link = fromHash(`#${toHash(state)}`, KNOWN);
    const { pixels, source, ...expected } = linkedOf(state);
    const image = { pixels, source: pixels === null ? { kind: "link" } : source };
    assert.deepEqual(link, { ...expected, ...image });
  });
}

test("any state comes back from its link", () => {
  const random = seededRandom(1);
  const below = (count) => Math.floor(random() * count);
  for (let round = 0; round < 200; round++) {
    const iterations = 1 + below(10);
    const edits = {};
    for (let count = below(4); count > 0; count--) {
      edits[below(10)] = Array.from({ length: 16 }, () => (below(3001) - 1500) / 1000);
    }
    const state = {
      model: KNOWN.models[below(2)],
      view: VIEWS[below(VIEWS.length)],
      pixels: randomPixels(random),
      source: { kind: "link" },
      iterations,
      step: 1 + below(iterations),
      digit: random() < 0.3 ? null : below(10),
      map: below(256),
      pixel: below(400),
      capsule: below(1152),
      edits,
    };
    assert.deepEqual(fromHash(toHash(state), KNOWN), state);
  }
});

for (const kind of ["drawing", "upload"]) {
  test(`the receiver of a link to a ${kind} knows only that it came by link`, () => {
    const state = { ...PLAIN, pixels: SAMPLE.pixels, source: { kind } };
    assert.deepEqual(fromHash(toHash(state), KNOWN).source, { kind: "link" });
  });
}

test("a link to a sample is short and carries no image", () => {
  const state = { ...PLAIN, pixels: SAMPLE.pixels, source: sampleSource(SAMPLE) };
  assert.equal(toHash(state), "view=input&sample=mnist-4&iterations=3");
});

test("edits are rounded to thousandths", () => {
  const state = { ...PLAIN, edits: { 4: EDIT.with(3, 0.12349) } };
  assert.equal(fromHash(toHash(state), KNOWN).edits[4][3], 0.123);
});

test("an empty link says the defaults and no image", () => {
  assert.deepEqual(fromHash("", KNOWN), DEFAULTS);
  assert.deepEqual(fromHash("#", KNOWN), DEFAULTS);
});

const IMAGE = pack(SAMPLE.pixels);

for (const hash of [
  "view=secrets",
  "view=__proto__",
  "model=unknown",
  "sample=unknown",
  "sample=unknown&image=%%%",
  "image=AAAA",
  "image=!junk!",
  `image=${pack(new Uint8Array(785).fill(9))}`,
  "iterations=0",
  "iterations=11",
  "iterations=-3",
  "iterations=2.5",
  "iterations=1e1",
  "iterations=NaN",
  "step=0",
  "step=4",
  "digit=10",
  "digit=-1",
  "digit=",
  "map=256",
  "pixel=400",
  "capsule=1152",
  `capsule=${"9".repeat(400)}`,
  "edit=",
  "edit=4",
  "edit=4:",
  "edit=10:3=0.1",
  "edit=x:3=0.1",
  "edit=4:16=0.1",
  "edit=4:3=NaN",
  "edit=4:3=Infinity",
  "edit=4:3=",
  "edit=4:3=1e2",
  "edit=4:3=2.001",
  `edit=4:3=${"9".repeat(400)}`,
  "edit=4:3=0",
  "edit=__proto__:3=0.1",
  "<script>=1&&&===&%E0%A4%A",
]) {
  test(`a link that says ${hash.slice(0, 40)} keeps the default`, () => {
    assert.deepEqual(fromHash(hash, KNOWN), DEFAULTS);
  });
}

test("what is wrong in a link does not take the rest with it", () => {
  const link = fromHash("view=conv1&map=256&pixel=21&edit=4:99=1;3=.5;x", KNOWN);
  assert.equal(link.view, "conv1");
  assert.equal(link.map, 0);
  assert.equal(link.pixel, 21);
  assert.deepEqual(link.edits, { 4: EDIT.map((_, i) => (i === 3 ? 0.5 : 0)) });
});

for (const of of [
  "mnist-test/1",
  "mnist-test/1/10",
  "mnist-test/-1/4",
  "../secrets/1/4",
  `mnist-test/${"9".repeat(400)}/4`,
]) {
  test(`an image said to be ${of.slice(0, 30)} came by link`, () => {
    const { pixels, source } = fromHash(`image=${IMAGE}&of=${of}`, KNOWN);
    assert.deepEqual(pixels, SAMPLE.pixels);
    assert.deepEqual(source, { kind: "link" });
  });
}

test("a link with an unknown sample and an image shows the image", () => {
  const { pixels } = fromHash(`sample=unknown&image=${IMAGE}`, KNOWN);
  assert.deepEqual(pixels, SAMPLE.pixels);
});

test("without models a link still says the view and the image", () => {
  const link = fromHash(`view=digits&image=${IMAGE}&digit=0&map=3&edit=4:3=1`, {
    samples: [],
    models: [],
  });
  assert.equal(link.view, "digits");
  assert.deepEqual(link.pixels, SAMPLE.pixels);
  assert.equal("model" in link, false);
  assert.equal("iterations" in link, false);
  assert.deepEqual(link.edits, {});
});

test("a link to an empty canvas keeps it empty", () => {
  const hash = toHash({ ...PLAIN, pixels: null, source: { kind: "drawing" } });
  const { pixels, source } = fromHash(hash, KNOWN);
  assert.equal(pixels, null);
  assert.deepEqual(source, { kind: "link" });
});
