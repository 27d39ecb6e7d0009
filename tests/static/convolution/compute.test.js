import assert from "node:assert/strict";
import { test } from "node:test";

import { convolve, relu, workOut } from "../../../static/js/convolution/compute.js";
import { seededRandom } from "../fixtures.js";

const PICTURE = [0, 0.2, 0.4, 0.6, 0.8, 1, 0, 0, 0.2]; // 3 x 3
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
  const empty = new Float64Array(9);
  const field = { row: 1, column: 1, size: 2 };
  const { sum, before } = workOut(empty, 3, { weights: WEIGHTS, bias: 0.25 }, field);
  near([sum, before], [0, 0.25]);
});

for (const [side, size] of [
  [6, 3],
  [5, 5],
  [28, 9],
  [32, 7],
]) {
  test(`a ${size}x${size} kernel on ${side}x${side} agrees with a fourfold loop`, () => {
    const random = seededRandom(side + size);
    const picture = Array.from({ length: side * side }, random);
    const weights = Array.from({ length: size * size }, () => 2 * random() - 1);
    const kernel = { weights, bias: random() - 0.5 };
    const map = convolve(picture, side, kernel, size);
    const across = side - size + 1;
    assert.equal(map.length, across ** 2);
    for (let row = 0; row < across; row++) {
      for (let column = 0; column < across; column++) {
        let expected = kernel.bias;
        for (let y = 0; y < size; y++) {
          for (let x = 0; x < size; x++) {
            expected += picture[(row + y) * side + column + x] * weights[y * size + x];
          }
        }
        near(
          [workOut(picture, side, kernel, { row, column, size }).before],
          [expected],
        );
        assert.ok(Math.abs(map[row * across + column] - expected) < 1e-6);
      }
    }
  });
}

test("a convolution of a single pixel copies the picture", () => {
  const map = convolve(PICTURE, 3, { weights: [1], bias: 0 }, 1);
  assert.deepEqual(map, Float32Array.from(PICTURE));
});

test("ReLU of a map keeps what is above zero", () => {
  assert.deepEqual(relu(Float32Array.of(-1, 0, 2)), Float32Array.of(0, 0, 2));
});
