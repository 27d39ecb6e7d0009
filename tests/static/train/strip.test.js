import assert from "node:assert/strict";
import { test } from "node:test";
import { learntWords, spread } from "../../../static/js/train/strip.js";

test("a strip has few moments, the first and the last among them", () => {
  assert.deepEqual(spread([0, 1, 4, 9, 16, 25, 36], 3), [0, 9, 36]);
  assert.deepEqual(spread([3, 5], 10), [3, 5]);
  assert.deepEqual(spread([3], 10), [3]);
});

test("it is said from when on a network reads what it reads at the end", () => {
  const names = ["zero", "one", "two"];
  const title = (/** @type {number[]} */ reads, /** @type {number | null} */ label) =>
    learntWords(
      reads.map((reading, at) => ({ images: 64 * at, reads: reading })),
      names,
      label,
    );
  assert.equal(
    title([2, 1, 2, 1, 1], 1),
    "It reads one, rightly, from 192 images on, at every moment shown.",
  );
  assert.equal(
    title([1, 1], null),
    "It reads one from before training on, at every moment shown.",
  );
  assert.equal(
    title([1, 2, 0], 2),
    "It reads zero, wrongly, at the last of these moments alone.",
  );
});
