import assert from "node:assert/strict";
import { test } from "node:test";

import {
  countActive,
  readingOf,
  sumsByType,
} from "../../../../../static/js/networks/matrix/compared/figures.js";
import { rowsOf } from "../../../../../static/js/networks/matrix/compared/types.js";
import {
  activationWords,
  assignmentWords,
} from "../../../../../static/js/networks/matrix/compared/words.js";
import { tensor } from "../../../fixtures.js";

const GRID = { types: 2, side: 1 };

test("a reading is the last iteration's, of one class", () => {
  // 2 iterations, 2 types of 1 x 1, 2 classes.
  const trace = {
    tensors: {
      "routing.assignments": tensor(
        [2, 2, 1, 1, 2],
        [9, 9, 9, 9, 0.25, 0.75, 0.5, 0.5],
      ),
      "caps2.activations": tensor([2, 1, 1], [0.5, 1]),
    },
  };
  const found = readingOf(trace, 1);
  assert.deepEqual([...found.assignments], [0.75, 0.5]);
  assert.deepEqual([...found.given], [0.375, 0.5]); // R a
});

test("capsules are counted by the images that they are active for", () => {
  const counts = countActive([0.6, 0.6, 0.5, 0.4], [0.9, 0.5, 0.51, 0]);
  assert.deepEqual(counts, { both: 1, kept: 1, shown: 1, none: 1 });
});

test("the table has a row for each type and one for all", () => {
  assert.deepEqual(sumsByType([1, 2, 3, 4], 2), [3, 7]);
  const kept = { assignments: [0, 0.5, 1, 1], given: [0, 0.25, 1, 1] };
  const shown = { assignments: [0.5, 0.5, 0, 1], given: [0.5, 0.25, 0, 0.5] };
  assert.deepEqual(rowsOf([kept, shown], 2), [
    [0.25, 0.5, 0.25, 0.25, 0.75, 0.5],
    [1, 0.5, -0.5, 2, 0.5, -1.5],
    [0.625, 0.5, -0.125, 2.25, 1.25, -1],
  ]);
});

test("words on a layer and on assignments follow from their numbers", () => {
  assert.equal(
    activationWords([0.75, 0.25], [0.75, 0.5], GRID),
    "Above 0.5, of 2 capsules: 1 for both images, 0 for the kept image only, 0 for the shown one only, 1 for neither. The activation differs most for type 1, row 0, column 0: it is 0.250 for the kept image and 0.500 for the shown one.",
  );
  assert.equal(
    assignmentWords([0.5, 0], [0.5, 0.5], "4", GRID).split(". ")[0],
    "4 gets 25\u202f% of the votes for the kept image and 50\u202f% for the shown one",
  );
  assert.equal(
    assignmentWords([0.5, 0], [0.5, 0], "4", GRID),
    "4 gets 25\u202f% of the votes for both images. The assignment is the same in both images for every capsule.",
  );
});
