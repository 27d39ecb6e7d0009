import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf } from "../../../../static/js/kinds/routing/compared.js";
import {
  readingOf as dynamicReading,
  usualReach,
} from "../../../../static/js/kinds/routing/dynamic/compared.js";
import {
  assignmentWords,
  readingOf as emReading,
} from "../../../../static/js/kinds/routing/em/compared.js";
import { closeTo, says, tensor } from "../../fixtures.js";

test("a reading of agreement is the last iteration's, of one class", () => {
  // 2 iterations, 2 types of 1 x 1, 2 classes of 2 numbers.
  const trace = {
    tensors: {
      couplings: tensor([2, 2, 1, 1, 2], [9, 9, 9, 9, 0.1, 0.9, 0.5, 0.5]),
      agreement: tensor([2, 2, 1, 1, 2], [9, 9, 9, 9, 1, 2, 3, 4]),
      capsules: tensor([2, 2, 2], [9, 9, 9, 9, 0.1, 0.2, 0.6, 0.8]),
    },
  };
  const { shares, agreement, given } = dynamicReading(trace, 1);
  const near = closeTo(1e-6);
  near(shares, [0.9, 0.5]);
  near(agreement, [2, 4]);
  near(given, [1.8, 2]); // c (û·v) / ‖v‖, and ‖v‖ is 1
});

test("a reading of assignments is the last iteration's, of one class", () => {
  // 2 iterations, 2 types of 1 x 1, 2 classes.
  const trace = {
    tensors: {
      assignments: tensor([2, 2, 1, 1, 2], [9, 9, 9, 9, 0.25, 0.75, 0.5, 0.5]),
      presence: tensor([2, 1, 1], [0.5, 1]),
    },
  };
  const found = emReading(trace, 1);
  assert.deepEqual([...found.shares], [0.75, 0.5]);
  assert.deepEqual([...found.given], [0.375, 0.5]); // R a
});

test("a scale that clips leaves one value in a hundred beyond it", () => {
  const values = Array.from({ length: 101 }, (_, i) => (i % 2 ? -i : i));
  assert.equal(usualReach(values), 99);
  assert.equal(usualReach([0, 0, 0, 5]), 5);
  assert.equal(usualReach([0, 0]), 1);
});

test("the table has a row for each type and one for all", () => {
  const kept = { shares: [0, 0.5, 1, 1], given: [0, 0.25, 1, 1] };
  const shown = { shares: [0.5, 0.5, 0, 1], given: [0.5, 0.25, 0, 0.5] };
  assert.deepEqual(rowsOf([kept, shown], 2, { isMeanTold: true }), [
    [0.25, 0.5, 0.25, 0.25, 0.75, 0.5],
    [1, 0.5, -0.5, 2, 0.5, -1.5],
    [0.625, 0.5, -0.125, 2.25, 1.25, -1],
  ]);
  const [, , all] = rowsOf([kept, shown], 2, {});
  assert.deepEqual(all.slice(0, 3), [Number.NaN, Number.NaN, Number.NaN]);
});

test("words on assignments follow from their numbers", () => {
  const told = (shown) => assignmentWords([0.5, 0], shown, "4", [2, 1, 1]);
  says(told([0.5, 0.5]), "4 gets 25 % of the votes for the kept image and 50 %");
  says(told([0.5, 0]), "25 % of the votes for both images. The assignment is the same");
});
