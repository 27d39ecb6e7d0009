import assert from "node:assert/strict";
import { test } from "node:test";

import { rolledSeed, toyWords, turnScene } from "../../../static/js/input/turntable.js";
import { says } from "../fixtures.js";
import { READS_PHOTOGRAPHS, SCENE } from "../toys/fixtures.js";

test("a hand turns a toy all the way round, and tilts it as far as the ground", () => {
  const from = { azimuth: 350, elevation: 40 };
  assert.deepEqual(turnScene(from, { right: 20, down: 0 }), {
    azimuth: 10,
    elevation: 40,
  });
  assert.deepEqual(turnScene(from, { right: -360, down: 5.4 }), {
    azimuth: 350,
    elevation: 45,
  });
  assert.deepEqual(turnScene({ azimuth: 5, elevation: 3 }, { right: -10, down: -10 }), {
    azimuth: 355,
    elevation: 0,
  });
  assert.equal(turnScene(from, { right: 0, down: 100 }).elevation, 90);
});

test("who rolls a toy gets none of the collection's", () => {
  assert.equal(
    rolledSeed(() => 0),
    2020,
  );
  assert.ok(rolledSeed(() => 1 - 2 ** -53) < 2 ** 32 / 5);
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
