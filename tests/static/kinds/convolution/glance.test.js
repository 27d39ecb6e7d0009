import assert from "node:assert/strict";
import { test } from "node:test";

import { glance } from "../../../../static/js/kinds/convolution/glance.js";
import { tensor } from "../../fixtures.js";

test("of the maps that have come, the strongest stand in order", () => {
  const tensors = {
    glimpse: tensor([2, 1, 2], [1, 2, 3, 4]),
    energy: tensor([4], [0.25, 16, 1, 9]),
  };
  const tiles = glance.of({ tensors });
  assert.deepEqual([tiles.count, tiles.numbers, tiles.most], [4, [1, 3], 4]);
  assert.deepEqual([...tiles.strength], [0.5, 4, 1, 3]);
});

test("without these, all maps are shown after ReLU", () => {
  assert.deepEqual(glance.needs({ tensors: { pre: "conv.pre" } }), ["pre"]);
  const tiles = glance.of({ tensors: { pre: tensor([2, 1, 2], [3, 4, -1, 2]) } });
  assert.deepEqual([...tiles.values], [3, 4, 0, 2]);
  assert.deepEqual([...tiles.strength], [5, 2]); // 3-4-5
  assert.equal(glance.of({ tensors: {} }), null);
});
