import assert from "node:assert/strict";
import { test } from "node:test";

import { contributions } from "../../../../static/js/convolution/beneath/contributions.js";
import { seededRandom, tensor } from "../../fixtures.js";

// Two maps of 3x3; a capsule of two numbers that reads 2x2 of each.
const MAPS = tensor([2, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 1, 0, 2, 0, 0, 0, 3]);
const LAYER = {
  kernels: tensor([2, 2, 2, 2], [9, 9, 9, 9, 9, 9, 9, 9, 1, 0, 0, -1, 2, 1, 0, 10]),
  bias: tensor([2], [7, 0.5]),
};

test("each map adds its window times its kernel, and the bias comes on top", () => {
  const window = { row: 0, column: 1, size: 2 };
  const found = contributions(MAPS, LAYER, 1, window);
  assert.deepEqual([...found.windows], [2, 3, 5, 6, 0, 1, 2, 0]);
  assert.deepEqual([...found.weights], [1, 0, 0, -1, 2, 1, 0, 10]);
  assert.deepEqual([...found.products], [2, 0, 0, -6, 0, 1, 0, 0]);
  assert.deepEqual([...found.shares], [-4, 1]);
  assert.equal(found.bias, 0.5);
  assert.equal(found.total, -2.5);
});

test("products sum to shares, and shares to the total", () => {
  const random = seededRandom(12);
  const any = (length) => Array.from({ length }, () => random() - 0.5);
  const maps = tensor([5, 6, 6], any(180));
  const layer = { kernels: tensor([3, 5, 3, 3], any(135)), bias: tensor([3], any(3)) };
  const { products, shares, bias, total } = contributions(maps, layer, 2, {
    row: 2,
    column: 3,
    size: 3,
  });
  shares.forEach((share, map) => {
    const sum = products
      .slice(9 * map, 9 * map + 9)
      .reduce((all, each) => all + each, 0);
    assert.ok(Math.abs(share - sum) < 1e-6);
  });
  const sum = shares.reduce((all, share) => all + share, bias);
  assert.ok(Math.abs(sum - total) < 1e-12);
});
