import assert from "node:assert/strict";
import { test } from "node:test";
import { turnedWords } from "../../../../static/js/kinds/capsules/compared.js";
import { depthwise } from "../../../../static/js/kinds/capsules/depthwise.js";
import {
  saturatedLength,
  squashedLength,
  squashOf,
} from "../../../../static/js/kinds/capsules/squash.js";
import { seenWords } from "../../../../static/js/kinds/capsules/words.js";
import { seededRandom, tensor } from "../../fixtures.js";

test("every number is one map times one kernel, summed, and its bias", () => {
  const random = seededRandom(3);
  const [capsules, numbers, rows, columns] = [3, 4, 2, 5];
  const count = capsules * numbers;
  const any = (/** @type {number[]} */ ...shape) => {
    const size = shape.reduce((product, each) => product * each, 1);
    return tensor(
      shape,
      Array.from({ length: size }, () => Math.round(16 * random() - 8) / 8),
    );
  };
  const maps = any(count, rows, columns);
  const weights = { kernels: any(count, rows, columns), bias: any(count) };
  for (let capsule = 0; capsule < capsules; capsule++) {
    const { first, totals, biases } = depthwise(maps, weights, capsule, numbers);
    assert.equal(first, capsule * numbers);
    for (let number = 0; number < numbers; number++) {
      const map = first + number;
      let expected = weights.bias.data[map];
      for (let i = map * rows * columns; i < (map + 1) * rows * columns; i++)
        expected += maps.data[i] * weights.kernels.data[i];
      assert.equal(totals[number], expected);
      assert.equal(biases[number], weights.bias.data[map]);
    }
  }
});

test("this squash keeps short vectors longer, and never reaches 1", () => {
  assert.equal(saturatedLength(0), 0);
  for (const length of [1e-6, 0.1, 1, 3, 8]) {
    const squashed = saturatedLength(length);
    assert.ok(Math.abs(squashed - (1 - Math.exp(-length))) < 1e-9);
    assert.ok(squashed > squashedLength(length) && squashed < 1);
  }
  assert.equal(squashOf({ words: { squash: "exponential" } }), saturatedLength);
  assert.equal(squashOf({}), squashedLength);
});

test("what no capsule sees is said, as far as there is anything", () => {
  const seen = { row: 0, column: 0, size: 27 };
  assert.equal(
    seenWords(seen, [1, 28, 28]),
    "Every capsule sees the same 27×27 pixels. None sees the last row and the last column of the input.",
  );
  assert.equal(
    seenWords(seen, [1, 27, 29]),
    "Every capsule sees the same 27×27 pixels. None sees the last 2 columns of the input.",
  );
  assert.equal(
    seenWords({ ...seen, columns: 31 }, [1, 27, 31]),
    "Every capsule sees the same 27×31 pixels.",
  );
});

const of = (...values) => Float32Array.from(values);

test("two images are compared by how far capsules turn, and by their lengths", () => {
  const kept = of(0.5, 0, 0, 0.8, 0.3, 0.4);
  assert.equal(
    turnedWords([kept, kept], [of(0.5, 0.8, 0.5), of(0.5, 0.8, 0.5)]),
    "All 3 capsules are the same for both images.",
  );
  const shown = of(0, 0.5, 0, 0.6, 0.3, 0.4);
  assert.equal(
    turnedWords([kept, shown], [of(0.5, 0.8, 0.5), of(0.5, 0.6, 0.5)]),
    "Capsule 0 turns the most, by 90°, and capsule 1 the least, by 0°. The length of capsule 1 differs the most: it is 0.800 for the kept image and 0.600 for the shown one.",
  );
  assert.match(
    turnedWords([of(1, 0), of(0, 1)], [of(1), of(1)]),
    /by 90°.* No length differs\.$/,
  );
  assert.equal(
    turnedWords([of(0.5, 0), of(0.7, 0)], [of(0.5), of(0.7)]),
    "No capsule turns by half a degree or more. The length of capsule 0 differs the most: it is 0.500 for the kept image and 0.700 for the shown one.",
  );
});
