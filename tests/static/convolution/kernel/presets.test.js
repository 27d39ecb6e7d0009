import assert from "node:assert/strict";
import { test } from "node:test";

import { convolve } from "../../../../static/js/convolution/compute.js";
import {
  KERNEL_SIZES,
  negated,
  turned,
} from "../../../../static/js/convolution/kernel/changes.js";
import {
  PRESETS,
  preset,
  presetOf,
} from "../../../../static/js/convolution/kernel/presets.js";
import { seededRandom } from "../../fixtures.js";

for (const [id, weights] of [
  ["vertical", [-1, 0, 1, -1, 0, 1, -1, 0, 1]],
  ["horizontal", [-1, -1, -1, 0, 0, 0, 1, 1, 1]],
  ["diagonal", [-1, -1, 0, -1, 0, 1, 0, 1, 1]],
  ["gaussian", [1, 2, 1, 2, 4, 2, 1, 2, 1].map((count) => count / 16)],
  ["sharpen", [-1, -2, -1, -2, 28, -2, -1, -2, -1].map((count) => count / 16)],
  ["laplacian", [-1, -1, -1, -1, 8, -1, -1, -1, -1].map((count) => count / 8)],
  ["identity", [0, 0, 0, 0, 1, 0, 0, 0, 0]],
]) {
  test(`the preset ${id} of 3x3 is what one works out by hand`, () => {
    assert.deepEqual(preset(id, 3), { size: 3, weights, bias: 0 });
  });
}

const sumOf = ({ weights }) => weights.reduce((sum, weight) => sum + weight, 0);

for (const size of KERNEL_SIZES) {
  test(`edges and the Laplacian of ${size}x${size} see nothing in an even picture`, () => {
    for (const id of ["vertical", "horizontal", "diagonal", "laplacian"])
      assert.ok(Math.abs(sumOf(preset(id, size))) < 1e-3, id);
  });

  test(`blurs, sharpening and identity of ${size}x${size} keep an even picture`, () => {
    for (const id of ["box", "gaussian", "sharpen", "identity"])
      assert.ok(Math.abs(sumOf(preset(id, size)) - 1) < 1e-3, id);
  });

  test(`every preset of ${size}x${size} is recognised, and nothing else`, () => {
    for (const { id } of PRESETS) assert.equal(presetOf(preset(id, size)), id);
    assert.equal(presetOf(negated(preset("vertical", size))), null);
    assert.equal(presetOf({ ...preset("box", size), bias: 1 }), null);
  });
}

test("a horizontal edge is a vertical one turned", () => {
  assert.deepEqual(turned(preset("vertical", 5)), preset("horizontal", 5));
});

test("identity cuts the picture's edges off and changes nothing else", () => {
  const random = seededRandom(8);
  const picture = Float32Array.from({ length: 64 }, random);
  const map = convolve(picture, 8, preset("identity", 5), 5);
  const inside = picture.filter((_, i) => {
    const [row, column] = [Math.floor(i / 8), i % 8];
    return row >= 2 && row < 6 && column >= 2 && column < 6;
  });
  assert.deepEqual(map, inside);
});
