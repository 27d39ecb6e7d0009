import assert from "node:assert/strict";
import { test } from "node:test";

import {
  placeOf,
  rightOf,
  shareScale,
  sidesWords,
  zoneOf,
} from "../../../static/js/input/sides.js";
import { says } from "../fixtures.js";
import { READS_PHOTOGRAPHS, READS_TOYS, SCENE } from "../toys/fixtures.js";

// As a card has them: the lowest camera first. One in ten is misread at 30° and 20°.
const errors = Array.from({ length: 9 }, () => Array(18).fill(0));
errors[0][1] = 0.1;
const model = {
  ...READS_TOYS,
  card: { viewpoints: { azimuths: [], elevations: [], errors } },
};

test("a view lies in the cell next to it, around the turn and within the heights", () => {
  const placed = (azimuth, elevation) => placeOf({ azimuth, elevation });
  assert.deepEqual(placed(0, 70), { row: 0, column: 0 });
  assert.deepEqual(placed(340, 30), { row: 8, column: 17 });
  assert.deepEqual(placed(355, 52), { row: 4, column: 0 });
  assert.deepEqual(placed(29, 0), { row: 8, column: 1 });
  assert.deepEqual(placed(31, 90), { row: 0, column: 2 });
});

test("the map of all test toys has the highest camera first", () => {
  const right = rightOf(model);
  assert.equal(right.length, 162);
  assert.equal(right[8 * 18 + 1], 0.9);
  assert.equal(right.filter((each) => each === 1).length, 161);
  assert.equal(rightOf({ card: {} }), null);
});

test("shares near 1 have a scale of their own, and their legend says so", () => {
  const [scale, unit] = shareScale([1, 0.98]);
  assert.deepEqual([scale.low, scale.high], [0.98, 1]);
  assert.equal(unit, "share, on a scale of its own");
  const [whole, name] = shareScale([1, 1]);
  assert.deepEqual([whole.low, whole.high, name], [0, 1, "share"]);
});

test("words count the sides, and name the nearest one where the view lies between", () => {
  const said = { predictions: Array(162).fill(4).fill(0, 0, 12), scores: [] };
  const scene = { ...SCENE, azimuth: 20, elevation: 30 };
  says(sidesWords({ scene, model, said }), "150 of 162 sides.…90 % right from this");
  says(
    sidesWords({ scene: { ...scene, azimuth: 22 }, model, said: null }),
    "reads 90 % right from the nearest side, 20° and 30°.",
  );
  assert.equal(
    sidesWords({ scene, model: { ...READS_TOYS, card: {} }, said: null }),
    "",
  );
});

test("a network of photographs reads a car right where it says automobile", () => {
  const said = { predictions: Array(162).fill(4).fill(1, 0, 12), scores: [] };
  says(
    sidesWords({ scene: SCENE, model: { ...READS_PHOTOGRAPHS, card: {} }, said }),
    "right from 12 of 162 sides.",
  );
});

test("the sides that training showed are outlined, unless it showed all", () => {
  const azimuths = Array.from({ length: 18 }, (_, i) => 20 * i);
  const elevations = Array.from({ length: 9 }, (_, i) => 30 + 5 * i);
  const zone = (shown) => zoneOf({ card: { shown } });
  assert.equal(zone(undefined), null);
  assert.equal(zone({ azimuths, elevations }), null);
  // Two cells side by side in the upper right corner, of the highest camera.
  assert.equal(
    zone({ azimuths: [320, 340], elevations: [70] }),
    "M16 0h1M16 1h1M16 0v1M17 0h1M17 1h1M18 0v1",
  );
});
