/** A toy on the turntable, in links and in what all views share. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { fromHash, namedIn, toHash } from "../../../static/js/core/link.js";
import { toySource } from "../../../static/js/core/links/toys.js";
import {
  knownLabels,
  seesToys,
  withFittingImages,
} from "../../../static/js/core/state.js";
import { pixelsOf } from "../../../static/js/lib/pixels.js";
import { grey, MODEL } from "../fixtures.js";
import { stateWith } from "../networks/capsnet/made.js";
import { READS_PHOTOGRAPHS, READS_TOYS, SCENE } from "../toys/fixtures.js";

const TOYS = { ...MODEL, ...READS_TOYS, classes: 5 };
const PHOTOGRAPHS = { ...MODEL, ...READS_PHOTOGRAPHS, classes: 10 };
const pixels = grey(Array.from({ length: 1024 }, (_, i) => i % 256));
const stateOf = (model) => stateWith({ models: [model], pixels }, model);
const plain = ({ turn, ...source }) => source;

test("a link brings a toy back, its parts, its light and its ground", () => {
  for (const more of [
    {},
    { azimuth: 0, elevation: 0, light: 5, seed: 2 ** 29 },
    { own: { width: 100, wheel_radius: 0 }, ground: "cluttered", hidden: "left" },
    { backdrop: "clutter", tint: "blue", own: { width: 3 } },
  ]) {
    const shown = { pixels, source: toySource({ ...SCENE, ...more }) };
    const state = { ...stateOf(TOYS), ...shown };
    const read = fromHash(toHash({ ...state, kept: shown }), stateOf(TOYS));
    assert.deepEqual(read.unread, []);
    assert.equal(read.pixels, null, "to be drawn");
    const { kept } = namedIn(toHash({ ...state, kept: shown }), stateOf(TOYS));
    for (const source of [read.source, kept])
      assert.deepEqual(plain(source), plain(shown.source));
  }
});

test("a link brings a toy in colour back, and one without colours still is valid", () => {
  const drawn = pixelsOf({ channels: 3, rows: 32, columns: 32 });
  const state = (more) => ({
    ...stateOf(PHOTOGRAPHS),
    pixels: drawn,
    source: toySource({ ...SCENE, ...more }),
  });
  for (const [backdrop, tint, words] of [
    ["sky", "white", "car.2000.320.40.1.plain.nothing"],
    ["dark", "white", "car.2000.320.40.1.plain.nothing.on-dark"],
    ["clutter", "red", "car.2000.320.40.1.plain.nothing.on-clutter.tint-red"],
  ]) {
    const shown = state({ backdrop, tint });
    const hash = toHash(shown);
    assert.equal(new URLSearchParams(hash).get("toy"), words);
    const read = fromHash(hash, stateOf(PHOTOGRAPHS));
    assert.deepEqual(read.unread, []);
    assert.deepEqual(plain(read.source), plain(shown.source));
  }
});

test("a network of photographs has a class for vehicles, and says nothing of others", () => {
  const labelOf = (category, model = PHOTOGRAPHS) =>
    knownLabels(toySource({ ...SCENE, category }), model);
  assert.deepEqual(
    ["plane", "car", "truck"].map((each) => labelOf(each)),
    [...[[0], [1], [9]]],
  );
  assert.equal(labelOf("animal"), null);
  assert.equal(labelOf("human"), null);
  const trucks = { ...PHOTOGRAPHS, classes: 2, class_names: ["truck", "tram"] };
  assert.equal(labelOf("truck", trucks), null, "may mean another thing");
  assert.equal(labelOf("truck", { ...PHOTOGRAPHS, input_shape: [3, 24, 32] }), null);
});

test("a toy is drawn anew for a network that reads it in another way", () => {
  const toy = toySource(SCENE);
  const shown = (model, source) =>
    withFittingImages({ ...stateOf(model), kept: null, source }).pixels;
  assert.equal(shown(PHOTOGRAPHS, toy), null, "to be drawn");
  assert.equal(shown(TOYS, toy), pixels);
  assert.equal(shown(PHOTOGRAPHS, { kind: "link" }).channels, 3, "the same in grey");
});

test("what is no toy in a link is told, and its image stays", () => {
  const hash = toHash({ ...stateOf(TOYS), source: toySource(SCENE) });
  const link = new URLSearchParams(hash);
  const text = link.get("toy");
  const bare = toHash({ ...stateOf(TOYS), source: { kind: "link" } });
  link.set("image", new URLSearchParams(bare).get("image"));
  for (const wrong of [
    text.replace("car", "boat"),
    text.replace("2000", "-1"),
    `${text}.WIDTH-1`,
    `${text}.tint-pink`,
  ]) {
    link.set("toy", wrong);
    const read = fromHash(link.toString(), stateOf(TOYS));
    assert.match(read.unread.join(), /the toy/, wrong);
    assert.deepEqual(read.source, { kind: "link" });
    assert.deepEqual(read.pixels, pixels);
  }
});

test("to a network of digits, a toy is an image like any other", () => {
  assert.ok(seesToys(TOYS));
  assert.ok(!seesToys({ ...TOYS, class_names: MODEL.class_names }));
  const described = { ...TOYS, card: { ...TOYS.card, dataset: "described-mine" } };
  assert.ok(!seesToys(described));
  assert.equal(knownLabels(toySource(SCENE), described), null);
  assert.deepEqual(knownLabels(toySource(SCENE), TOYS), [4]);
  assert.equal(knownLabels(toySource(SCENE), MODEL), null);
  const hash = toHash({ ...stateOf(MODEL), source: toySource(SCENE) });
  assert.doesNotMatch(hash, /toy=/);
});
