import assert from "node:assert/strict";
import { test } from "node:test";

import { sides } from "../../../../static/js/lab/sides/experiment.js";
import { sceneOf } from "../../../../static/js/lab/sides/scene.js";
import { SCENE } from "../../toys/fixtures.js";

test("the knobs turn the toy on show, and else one of their own", () => {
  const settings = { azimuth: 360, elevation: 10 };
  const scene = { ...SCENE, kind: "toy", ground: "grey" };
  assert.deepEqual(sceneOf(scene, settings), { ...scene, azimuth: 0, elevation: 10 });
  const other = sceneOf({ kind: "link" }, settings);
  assert.equal(other.category, "animal");
  assert.deepEqual([other.azimuth, other.elevation], [0, 10]);
});

test("there is nothing to try with a network that reads no toys", () => {
  const settings = { azimuth: 320, elevation: 40 };
  const digits = { class_names: ["0", "1"], input_shape: [1, 28, 28], card: {} };
  assert.equal(sides.tryFirst.change({ settings, model: digits }), null);
  const toys = {
    class_names: ["animal", "human", "plane", "truck", "car"],
    input_shape: [1, 32, 32],
    card: {},
  };
  const patch = sides.tryFirst.change({ settings, model: toys });
  assert.deepEqual(patch, {
    knob: "elevation",
    settings: { azimuth: 320, elevation: 90 },
  });
});
