import assert from "node:assert/strict";
import { test } from "node:test";

import {
  readingOf,
  sumsByType,
  usualReach,
} from "../../../../../static/js/networks/capsnet/compared/figures.js";
import { placeWords } from "../../../../../static/js/networks/capsnet/compared/words.js";
import { SIZES, tensor } from "../../../fixtures.js";

test("a reading is the last iteration's, of one class", () => {
  // 2 iterations, 2 types of 1 x 1, 2 classes of 2 numbers.
  const trace = {
    tensors: {
      "routing.couplings": tensor([2, 2, 1, 1, 2], [9, 9, 9, 9, 0.1, 0.9, 0.5, 0.5]),
      "routing.agreement": tensor([2, 2, 1, 1, 2], [9, 9, 9, 9, 1, 2, 3, 4]),
      "routing.capsules": tensor([2, 2, 2], [9, 9, 9, 9, 0.1, 0.2, 0.6, 0.8]),
    },
  };
  const { couplings, agreement, given } = readingOf(trace, 1);
  const near = (found, values) =>
    values.forEach((value, i) => {
      assert.ok(Math.abs(found[i] - value) < 1e-6);
    });
  near(couplings, [0.9, 0.5]);
  near(agreement, [2, 4]);
  near(given, [1.8, 2]); // c (û·v) / ‖v‖, and ‖v‖ is 1
});

test("a type's sum is that of its cells", () => {
  assert.deepEqual(sumsByType([1, 2, 3, 4, 5, 6], 2), [6, 15]);
});

test("a scale that clips leaves one value in a hundred beyond it", () => {
  const values = Array.from({ length: 101 }, (_, i) => (i % 2 ? -i : i));
  assert.equal(usualReach(values), 99);
  assert.equal(usualReach([0, 0, 0, 5]), 5);
  assert.equal(usualReach([0, 0]), 1);
});

test("a place's words name the capsule that differs the most", () => {
  const kept = new Float32Array(1152);
  const shown = kept.with(37 + 6, 0.5); // type 1, row 1, column 1
  assert.equal(
    placeWords(kept, shown, { what: "The coupling", sizes: SIZES }),
    "The coupling differs most for type 1, row 1, column 1: it is 0.000 for the kept image and 0.500 for the shown one.",
  );
  assert.ok(
    placeWords(kept, kept, { what: "The coupling", sizes: SIZES }).includes(
      "is the same in both images",
    ),
  );
});
