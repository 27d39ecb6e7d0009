import assert from "node:assert/strict";
import { test } from "node:test";

import {
  beneathOf,
  layerOf,
  seenBy,
} from "../../../../static/js/networks/cnn/conv2/layer.js";
import { grey, tensor } from "../../fixtures.js";

// An image of 8x8, two kernels of 2x2: Conv1 7x7, pooled 3x3, Conv2 2x2.
const SIZES = { image_size: 8, kernel_size: 2, conv1_kernels: 2, conv2_kernels: 2 };
const KERNELS = {
  kernels: tensor([2, 2, 2, 2], [1, 0, 0, 1, 0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 0, 1]),
  bias: tensor([2], [0.5, -8]),
};
const BELOW = tensor([2, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
// Map 0: (1 + 5 + 0.5) + 2 × 1, (2 + 6 + 0.5) + 0, (4 + 8 + 0.5) + 0, (5 + 9 + 0.5) + 2
// Map 1: (-1 - 8) + 0, (-2 - 8) + 1, (-4 - 8) + 1, (-5 - 8) + 0
const PRE = tensor([2, 2, 2], [8.5, 8.5, 12.5, 16.5, -9, -9, -11, -13]);
const TRACE = {
  pixels: grey(new Uint8Array(64).fill(51)),
  tensors: { pool1: BELOW, "conv2.pre": PRE },
};
const LAYER = layerOf(TRACE, KERNELS, SIZES);

test("every pixel is the sum over all maps below, and the bias", () => {
  PRE.data.forEach((traced, i) => {
    const [map, row, column] = [Math.floor(i / 4), Math.floor((i % 4) / 2), i % 2];
    assert.equal(beneathOf(LAYER, map, row, column).parts.total, traced);
  });
});

test("each map below adds its window times its slice", () => {
  const { window, parts, reach } = beneathOf(LAYER, 0, 1, 1);
  assert.deepEqual(window, { row: 1, column: 1, size: 2 });
  assert.deepEqual([...parts.windows], [5, 6, 8, 9, 0, 1, 1, 0]);
  assert.deepEqual([...parts.shares], [14, 2]);
  assert.deepEqual(reach, { size: 3, step: 2 }); // of a pixel of Pool1, on the input
});

test("a map is seen before and after ReLU, with what its pixels look at", () => {
  const seen = seenBy(LAYER, 1);
  assert.equal(seen.mapName, "Map 1");
  assert.deepEqual([...seen.before], [-9, -9, -11, -13]);
  assert.deepEqual([...seen.after], [0, 0, 0, 0]);
  assert.deepEqual([...seenBy(LAYER, 0).after], [8.5, 8.5, 12.5, 16.5]);
  assert.deepEqual([seen.side, seen.across], [8, 2]);
  assert.deepEqual(seen.reach, { size: 5, step: 2 }); // 3 pixels, and one more 2 further on
});

test("a kernel's tile holds its slices side by side", () => {
  const { shape, data } = LAYER.kernelTiles;
  assert.deepEqual(shape, [2, 2, 5]); // two slices of 2x2 with a gap between
  assert.deepEqual([...data.subarray(0, 5)], [1, 0, Number.NaN, 0, 2]);
  assert.equal(
    LAYER.weightName({ row: 1, column: 3 }),
    "slice for map 1, row 1, column 0",
  );
});
