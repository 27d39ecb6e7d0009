import assert from "node:assert/strict";
import { test } from "node:test";

import { rolledSeed, toyWords, turned } from "../../../static/js/input/turntable.js";
import { says } from "../fixtures.js";
import { READS_PHOTOGRAPHS, READS_TOYS, SCENE } from "../toys/fixtures.js";

test("a hand turns a toy all the way round, and tilts it as far as the ground", () => {
  const from = { azimuth: 350, elevation: 40 };
  assert.deepEqual(turned(from, { right: 20, down: 0 }), {
    azimuth: 10,
    elevation: 40,
  });
  assert.deepEqual(turned(from, { right: -360, down: 5.4 }), {
    ...{ azimuth: 350, elevation: 45 },
  });
  assert.deepEqual(turned({ azimuth: 5, elevation: 3 }, { right: -10, down: -10 }), {
    ...{ azimuth: 355, elevation: 0 },
  });
  assert.equal(turned(from, { right: 0, down: 100 }).elevation, 90);
});

test("who rolls a toy gets none of the collection's", () => {
  assert.equal(
    rolledSeed(() => 0),
    2020,
  );
  assert.ok(rolledSeed(() => 1 - 2 ** -53) < 2 ** 32 / 5);
});

test("words tell what stands there, and what training never showed", () => {
  const model = { ...READS_TOYS, card: {} };
  const words = (more) => toyWords({ ...SCENE, ...more }, model);
  says(words({}), "car of seed 2000, turned by 320° and seen from 40° above");
  assert.match(words({ own: { width: 3 } }), /2000, with parts of your own,/);
  assert.match(words({ elevation: 29 }), /toys from 30 to 70° above/);
  assert.match(words({ elevation: 71 }), /toys from 30 to 70° above/);
  assert.doesNotMatch(words({ elevation: 70 }), /Training/);
  assert.match(words({ ground: "grey" }), /showed no grey ground\.$/);
  assert.match(words({ hidden: "top" }), /The top half is hidden/);
});

test("a network that learned from some sides is told apart from them", () => {
  const shown = { azimuths: [300, 320, 340, 0, 20, 40], elevations: [30, 35, 40] };
  const words = (more) =>
    toyWords({ ...SCENE, ...more }, { ...READS_TOYS, card: { shown } });
  assert.doesNotMatch(words({ azimuth: 355 }), /Training/);
  assert.match(words({ azimuth: 60 }), /Training showed no toy from this side\.$/);
  assert.match(words({ elevation: 45 }), /Training showed toys from 30 to 40° above/);
});

test("to a network of photographs a toy has colours, and only vehicles have a class", () => {
  const model = { ...READS_PHOTOGRAPHS, card: { dataset: "cifar10" } };
  const words = (more) => toyWords({ ...SCENE, ...more }, model);
  says(
    words({ tint: "red", backdrop: "clutter" }),
    "The red car…cluttered ground.…photographs alone…Its class is automobile",
  );
  assert.doesNotMatch(words({ category: "animal" }), /class/);
  assert.match(words({ hidden: "left" }), /The left half is hidden\. Training/);
  const others = {
    ...model,
    card: { dataset: "folder" },
    class_names: ["tree", "truck"],
  };
  assert.match(toyWords(SCENE, others), /before the sky\.$/);
});
