import assert from "node:assert/strict";
import { test } from "node:test";

import { beforeRelu, unitsBefore } from "../../../../static/js/kinds/dense/units.js";
import { tensor } from "../../fixtures.js";

test("a unit is the sum over every value of every map, and its bias", () => {
  const maps = tensor([2, 1, 2], [1, 2, 3, 4]);
  const kernels = tensor([2, 2, 1, 2], [1, 0, 0, 1, -1, -1, -1, -1]);
  const before = unitsBefore(maps, { kernels, bias: tensor([2], [0.5, 0.25]) });
  assert.deepEqual([...before], [5.5, -9.75]);
});

test("what ReLU lets through is the network's own, and ReLU makes of it what it is", () => {
  const before = beforeRelu([3.0938, -1.5, 0.0001], [3.09375, 0, 0]);
  assert.deepEqual([...before], [3.09375, -1.5, 0]);
});
