import assert from "node:assert/strict";
import { test } from "node:test";

import { energies, extremes, mapOf } from "../../../static/js/convolution/maps.js";

const MAPS = {
  shape: [3, 1, 2],
  data: Float32Array.of(1, 2, 0, 0, -3, 0.5),
};

test("energy is the sum of squares of each map", () => {
  assert.deepEqual([...energies(MAPS)], [5, 0, 9.25]);
});

test("extremes are those of each map by itself", () => {
  const { low, high } = extremes(MAPS);
  assert.deepEqual([...low], [1, 0, -3]);
  assert.deepEqual([...high], [2, 0, 0.5]);
});

test("a map of a layer is its own values, uncopied", () => {
  const map = mapOf(MAPS, 2);
  assert.deepEqual([...map], [-3, 0.5]);
  assert.equal(map.buffer, MAPS.data.buffer);
});
