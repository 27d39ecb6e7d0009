import assert from "node:assert/strict";
import { test } from "node:test";

import { convolution } from "../../../../static/js/kinds/convolution/index.js";
import {
  readLayer,
  summed,
  trainedReading,
} from "../../../../static/js/kinds/convolution/reading.js";
import { channelWords } from "../../../../static/js/kinds/convolution/reads-image.js";
import { layersOf } from "../../../../static/js/kinds/network.js";
import { closeTo, grey, seededRandom, tensor } from "../../fixtures.js";

const near = closeTo(1e-12);

test("the channels' sums are written so that they come to the whole sum", () => {
  // Rounded each alone, 0.0004 three times would be 0 + 0 + 0 = 0.001.
  assert.equal(
    channelWords(["red", "green", "blue"], [0.0004, 0.0004, 0.0004], 0.001),
    "Over all channels: red 0.000 + green 0.000 + blue 0.001 = 0.001.",
  );
  assert.equal(
    channelWords(["red", "green", "blue"], [0.25, -0.5, 0.125], -0.125),
    "Over all channels: red 0.250 + green −0.500 + blue 0.125 = −0.125.",
  );
});

for (const [rows, columns, size] of [
  [6, 6, 3],
  [5, 5, 5],
  [20, 24, 7],
]) {
  test(`a ${size}x${size} kernel on ${rows}x${columns} agrees with a fourfold loop`, () => {
    const random = seededRandom(rows + size);
    const picture = Array.from({ length: rows * columns }, random);
    const weights = Array.from({ length: size * size }, () => 2 * random() - 1);
    const bias = random() - 0.5;
    const [down, across] = [rows - size + 1, columns - size + 1];
    for (let row = 0; row < down; row++) {
      for (let column = 0; column < across; column++) {
        let expected = bias;
        for (let y = 0; y < size; y++)
          for (let x = 0; x < size; x++)
            expected +=
              picture[(row + y) * columns + column + x] * weights[y * size + x];
        const maps = { shape: [1, rows, columns], data: picture };
        near([summed(maps, weights, bias, { row, column, size }).total], [expected]);
      }
    }
  });
}

// Two maps of 3x3; two kernels that read 2x2 of each.
const MAPS = tensor([2, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 1, 0, 2, 0, 0, 0, 3]);
const LAYER = {
  kernels: tensor([2, 2, 2, 2], [9, 9, 9, 9, 9, 9, 9, 9, 1, 0, 0, -1, 2, 1, 0, 10]),
  bias: tensor([2], [7, 0.5]),
};

test("each map adds its window times its kernel, and the bias comes on top", () => {
  const window = { row: 0, column: 1, size: 2 };
  const sums = summed(MAPS, LAYER.kernels.data.subarray(8), 0.5, window);
  assert.deepEqual([...sums.windows], [2, 3, 5, 6, 0, 1, 2, 0]);
  assert.deepEqual([...sums.weights], [1, 0, 0, -1, 2, 1, 0, 10]);
  assert.deepEqual([...sums.products], [2, 0, 0, -6, 0, 1, 0, 0]);
  assert.deepEqual([...sums.shares], [-4, 1]);
  assert.equal(sums.bias, 0.5);
  assert.equal(sums.total, -2.5);
});

test("a window may be wider than high", () => {
  const window = { row: 0, column: 0, size: 1, columns: 3 };
  const { windows, total } = summed(MAPS, [1, 1, 1, 2, 2, 2], 0, window);
  assert.deepEqual([...windows], [1, 2, 3, 0, 0, 1]);
  assert.equal(total, 8);
});

// An image of 8x8; a pooling of 2x2 over its pixels, and a convolution of 2x2 over that.
const SIZED = (size, step) => () => ({ size, step });
const POOLED = { id: "pooled", title: "Pooled", window: SIZED(2, 3), tensors: {} };
const DEEP = { id: "deep", below: "pooled", window: SIZED(2, 1), tensors: {} };
const [, DEEP_LAYER] = layersOf(
  [POOLED, DEEP].map((layer) => ({ kind: convolution, ...layer })),
);
const MODEL = { card: {}, input_shape: [1, 8, 8] };
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
  tensors: { below: BELOW, pre: PRE },
};

test("every pixel is the sum over all maps below, and the bias", () => {
  const read = readLayer(TRACE, KERNELS, MODEL, DEEP_LAYER);
  PRE.data.forEach((traced, i) => {
    const { weights, bias, below } = trainedReading(read, Math.floor(i / 4));
    const window = { row: Math.floor((i % 4) / 2), column: i % 2, size: 2 };
    assert.equal(summed(below, weights, bias, window).total, traced);
  });
});

test("a map is seen before and after ReLU, with what its pixels look at", () => {
  const read = readLayer(TRACE, KERNELS, MODEL, DEEP_LAYER);
  const reading = trainedReading(read, 1);
  assert.deepEqual([reading.mapName, reading.kernelName], ["Map 1", "kernel 1"]);
  assert.deepEqual([...reading.before], [-9, -9, -11, -13]);
  assert.deepEqual([...reading.after], [0, 0, 0, 0]);
  assert.deepEqual([...trainedReading(read, 0).after], [8.5, 8.5, 12.5, 16.5]);
  assert.deepEqual([reading.across, reading.kernel], [2, { rows: 2, columns: 2 }]);
  assert.deepEqual(reading.reach, { size: 5, step: 3, first: 0 }); // 2, and one more 3 on
  assert.deepEqual(reading.reachBelow, { size: 2, step: 3, first: 0 });
});

// An image of three channels of 4x5, and a convolution of 2x2 that reads it.
const COLOUR = { card: {}, input_shape: [3, 4, 5] };
const [FIRST] = layersOf([
  { id: "first", kind: convolution, window: SIZED(2, 1), tensors: {} },
]);

test("a kernel that reads the image reads all its channels", () => {
  const random = seededRandom(4);
  const pixels = Uint8Array.from({ length: 60 }, () => 255 * random());
  const kernels = tensor([1, 3, 2, 2], Array.from({ length: 12 }, random));
  const image = { channels: 3, rows: 4, columns: 5, bytes: pixels };
  const trace = {
    pixels: image,
    tensors: { pre: tensor([1, 3, 4], Array(12).fill(0)) },
  };
  const weights = { kernels, bias: tensor([1], [0.5]) };
  const read = readLayer(trace, weights, COLOUR, FIRST);
  const { below, weights: kernel, bias } = trainedReading(read, 0);
  const at = (channel, row, column) => pixels[(channel * 4 + row) * 5 + column] / 255;
  let expected = 0.5;
  for (let channel = 0; channel < 3; channel++)
    for (const [i, [y, x]] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ].entries())
      expected += at(channel, 2 + y, 3 + x) * kernels.data[4 * channel + i];
  near([summed(below, kernel, bias, { row: 2, column: 3, size: 2 }).total], [expected]);
});

test("kernels of one channel come without an axis for it, and are the same", () => {
  const trace = { pixels: grey(new Uint8Array(64)), tensors: { pre: PRE } };
  const kernels = tensor([2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8]);
  const read = readLayer(trace, { kernels, bias: KERNELS.bias }, MODEL, FIRST);
  assert.deepEqual(read.kernels.shape, [2, 1, 2, 2]);
});
