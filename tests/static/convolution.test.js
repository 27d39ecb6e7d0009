import assert from "node:assert/strict";
import { test } from "node:test";

import { workOut } from "../../static/js/lib/convolution.js";

// A 3x3 picture whose ink is 0, .2, .4 / .6, .8, 1 / 0, 0, .2.
const PICTURE = Uint8Array.of(0, 51, 102, 153, 204, 255, 0, 0, 51);
const WEIGHTS = [1, -1, 0.5, 2];

function near(actual, expected) {
  assert.equal(actual.length, expected.length);
  expected.forEach((value, i) => {
    assert.ok(Math.abs(actual[i] - value) < 1e-12, `${i}: ${actual[i]}, not ${value}`);
  });
}

test("a pixel is the sum of patch times kernel, plus the bias", () => {
  const field = { row: 0, column: 1, size: 2 };
  const worked = workOut(PICTURE, 3, { weights: WEIGHTS, bias: -0.1 }, field);
  near(worked.patch, [0.2, 0.4, 0.8, 1]);
  near(worked.products, [0.2, -0.4, 0.4, 2]);
  near([worked.sum, worked.before, worked.after], [2.2, 2.1, 2.1]);
});

test("the kernel is not turned around", () => {
  const field = { row: 1, column: 0, size: 2 };
  const weights = [1, 0, 0, 0];
  const { before } = workOut(PICTURE, 3, { weights, bias: 0 }, field);
  near([before], [0.6]); // the patch's first pixel, not its last
});

test("ReLU leaves nothing below zero", () => {
  const field = { row: 0, column: 0, size: 2 };
  const worked = workOut(PICTURE, 3, { weights: WEIGHTS, bias: -3 }, field);
  near([worked.before, worked.after], [0 - 0.2 + 0.3 + 1.6 - 3, 0]);
});

test("an empty patch leaves the bias", () => {
  const empty = new Uint8Array(9);
  const field = { row: 1, column: 1, size: 2 };
  const { sum, before } = workOut(empty, 3, { weights: WEIGHTS, bias: 0.25 }, field);
  near([sum, before], [0, 0.25]);
});

test("every pixel agrees with the convolution as a fourfold loop", () => {
  const side = 6;
  const size = 3;
  const pixels = Uint8Array.from({ length: side * side }, (_, i) => (i * 37) % 256);
  const weights = Array.from({ length: size * size }, (_, i) => Math.sin(i));
  const bias = 0.3;
  for (let row = 0; row <= side - size; row++) {
    for (let column = 0; column <= side - size; column++) {
      let expected = bias;
      for (let y = 0; y < size; y++) {
        for (let x = 0; x < size; x++) {
          const ink = pixels[(row + y) * side + column + x] / 255;
          expected += ink * weights[y * size + x];
        }
      }
      const field = { row, column, size };
      near([workOut(pixels, side, { weights, bias }, field).before], [expected]);
    }
  }
});
