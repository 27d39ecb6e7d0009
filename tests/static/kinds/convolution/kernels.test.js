import assert from "node:assert/strict";
import { test } from "node:test";

import { convolution } from "../../../../static/js/kinds/convolution/index.js";
import {
  flipped,
  KERNEL_SIZES,
  kept,
  mirrored,
  negated,
  normalized,
  PRESETS,
  packKernel,
  preset,
  presetOf,
  readWeight,
  resized,
  sameKernel,
  turned,
  unpackKernel,
  WEIGHT_LIMIT,
  weightText,
} from "../../../../static/js/kinds/convolution/kernel/kernels.js";
import { convolve } from "../../../../static/js/kinds/convolution/reading.js";
import { sum } from "../../../../static/js/lib/arithmetic.js";
import { roundToFloat16, toBase64 } from "../../../../static/js/lib/encoding.js";
import { seededRandom } from "../../fixtures.js";

// 1 2 3 / 4 5 6 / 7 8 9
const COUNT = { size: 3, weights: [1, 2, 3, 4, 5, 6, 7, 8, 9], bias: 0.5 };

function randomKernel(random) {
  const size = KERNEL_SIZES[Math.floor(random() * KERNEL_SIZES.length)];
  const weights = Array.from({ length: size ** 2 }, () => 8 * random() - 4);
  return kept({ size, weights, bias: random() - 0.5 });
}

for (const [what, change, weights] of [
  ["a quarter turn goes with the clock", turned, [7, 4, 1, 8, 5, 2, 9, 6, 3]],
  ["a mirror swaps left and right", mirrored, [3, 2, 1, 6, 5, 4, 9, 8, 7]],
  ["a flip swaps top and bottom", flipped, [7, 8, 9, 4, 5, 6, 1, 2, 3]],
]) {
  test(what, () => assert.deepEqual(change(COUNT), { ...COUNT, weights }));
}

test("four turns, two mirrors, two flips and two negations change nothing", () => {
  const random = seededRandom(5);
  for (let round = 0; round < 50; round++) {
    const kernel = randomKernel(random);
    assert.deepEqual(turned(turned(turned(turned(kernel)))), kernel);
    assert.deepEqual(turned(turned(kernel)), flipped(mirrored(kernel)));
    for (const change of [mirrored, flipped, negated])
      assert.deepEqual(change(change(kernel)), kernel);
  }
});

test("a negated kernel turns its map before ReLU over", () => {
  const random = seededRandom(6);
  const picture = Array.from({ length: 100 }, random);
  const kernel = randomKernel(random);
  const map = convolve(picture, 10, kernel, kernel.size);
  const other = convolve(picture, 10, negated(kernel), kernel.size);
  assert.deepEqual(
    other.map((value) => -value),
    map,
  );
});

test("a larger kernel has the same weights in its middle", () => {
  assert.deepEqual(resized({ size: 1, weights: [7], bias: 1 }, 3), {
    size: 3,
    weights: [0, 0, 0, 0, 7, 0, 0, 0, 0],
    bias: 1,
  });
  assert.deepEqual(resized(resized(COUNT, 9), 3), COUNT);
});

test("a smaller kernel loses what stands outside", () => {
  assert.deepEqual(resized(COUNT, 1).weights, [5]);
});

test("the magnitudes of a normalised kernel sum to 1", () => {
  const { weights, bias } = normalized({ size: 1, weights: [-4, 0, 12], bias: 3 });
  assert.deepEqual(weights, [-0.25, 0, 0.75]);
  assert.equal(bias, 3);
});

test("nothing but zeros cannot be normalised", () => {
  const zeros = { size: 1, weights: [0], bias: 0 };
  assert.deepEqual(normalized(zeros), zeros);
});

test("what is kept is half precision and within the limit", () => {
  const { weights, bias } = kept({ size: 1, weights: [1 / 3, 99, -99, -0], bias: 1e9 });
  assert.deepEqual(weights, [1365 / 4096, WEIGHT_LIMIT, -WEIGHT_LIMIT, 0]);
  assert.equal(bias, WEIGHT_LIMIT);
});

test("kernels are the same when size, bias and every weight are", () => {
  assert.ok(sameKernel(COUNT, { ...COUNT, weights: [...COUNT.weights] }));
  assert.ok(!sameKernel(COUNT, { ...COUNT, bias: 0 }));
  assert.ok(!sameKernel(COUNT, turned(COUNT)));
  assert.ok(!sameKernel(COUNT, resized(COUNT, 5)));
});

for (const [weight, text] of [
  [0, "0"],
  [1, "1"],
  [-0.5, "-0.5"],
  [roundToFloat16(0.1), "0.1"],
  [roundToFloat16(1 / 9), "0.1111"],
  [roundToFloat16(-0.169), "-0.169"],
]) {
  test(`the weight ${weight} is written ${text}`, () =>
    assert.equal(weightText(weight), text));
}

test("any weight is read again from its text", () => {
  const random = seededRandom(7);
  for (let round = 0; round < 500; round++) {
    const weight = roundToFloat16(
      (random() - 0.5) * 10 ** Math.floor(4 * random() - 3),
    );
    assert.equal(roundToFloat16(readWeight(weightText(weight))), weight);
  }
});

for (const [text, weight] of [
  [" 1.5 ", 1.5],
  ["1,5", 1.5],
  ["−.25", -0.25],
  ["+2", 2],
  ["3.", 3],
  ["16", 16],
  ["16.1", null],
  ["", null],
  ["-", null],
  [".", null],
  ["1e3", null],
  ["0x1", null],
  ["Infinity", null],
  ["1 2", null],
]) {
  test(`“${text}” is ${weight === null ? "no weight" : `the weight ${weight}`}`, () =>
    assert.equal(readWeight(text), weight));
}

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

for (const size of KERNEL_SIZES) {
  test(`edges and the Laplacian of ${size}x${size} see nothing in an even picture`, () => {
    for (const id of ["vertical", "horizontal", "diagonal", "laplacian"])
      assert.ok(Math.abs(sum(preset(id, size).weights)) < 1e-3, id);
  });

  test(`blurs, sharpening and identity of ${size}x${size} keep an even picture`, () => {
    for (const id of ["box", "gaussian", "sharpen", "identity"])
      assert.ok(Math.abs(sum(preset(id, size).weights) - 1) < 1e-3, id);
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

test("any kernel comes back from its code, exactly", () => {
  const random = seededRandom(9);
  for (let round = 0; round < 200; round++) {
    const size = KERNEL_SIZES[round % KERNEL_SIZES.length];
    const reach = 2 * WEIGHT_LIMIT * random();
    const any = () => (random() < 0.3 ? 0 : reach * (random() - 0.5));
    const weights = Array.from({ length: size ** 2 }, any);
    const kernel = kept({ size, weights, bias: any() });
    const code = packKernel(kernel);
    assert.match(code, /^[\w-]+$/);
    assert.ok(code.length <= 219);
    assert.deepEqual(unpackKernel(code), kernel);
  }
});

const bytes = (count, value = 0) => toBase64(new Uint8Array(count).fill(value));

for (const [what, code] of Object.entries({
  nothing: "",
  "characters that base64 has not": "!?%",
  "a size that there is not": bytes(2 * (16 + 1)),
  "half a weight": bytes(19),
  "a million weights": bytes(2_000),
  "not-a-numbers": bytes(20, 0xff),
  infinities: toBase64(Array.from({ length: 20 }, (_, i) => (i % 2 ? 0x7c : 0))),
  "weights beyond the limit": toBase64(
    Array.from({ length: 20 }, (_, i) => (i % 2 ? 0x50 : 0)),
  ),
})) {
  test(`${what} is no kernel`, () => assert.equal(unpackKernel(code), null));
}

test("a minus zero is a zero", () => {
  const code = toBase64(Array.from({ length: 20 }, (_, i) => (i % 2 ? 0x80 : 0)));
  const { weights, bias } = unpackKernel(code);
  assert.ok([bias, ...weights].every((value) => Object.is(value, 0)));
});

test("a kernel finds horizontal edges if its rows differ in sign alone", () => {
  const isDone = (weights, shown = "own") =>
    convolution.tasks["horizontal-edge"]({
      look: { shown },
      kernel: { size: 3, weights },
    });
  assert.equal(isDone([1, 1, 1, 0, 0, 0, -1, -1, -1]), true);
  assert.equal(isDone([-1, -2, -1, 0, 0, 0, 1, 2, 1]), true);
  assert.equal(isDone([-1, 0, 1, -1, 0, 1, -1, 0, 1]), false); // vertical
  assert.equal(isDone([-1, -1, 0, -1, 0, 1, 0, 1, 1]), false); // diagonal
  assert.equal(isDone([1, 1, 1, 0, 0, 0, -1, -1, -1], "relu"), false);
});
