import assert from "node:assert/strict";
import { test } from "node:test";

import {
  activeWords,
  countActive,
  mostDifferent,
} from "../../../../../static/js/networks/cnn/compared/figures.js";

const KEPT = [0, 1, 0, 2, 3];
const SHOWN = [0, 1, 4, 0, 2.5];

test("units are counted by the images that they are active for", () => {
  const counts = countActive(KEPT, SHOWN);
  assert.deepEqual(counts, { both: 2, kept: 1, shown: 1, none: 1 });
  assert.equal(
    activeWords(counts),
    "Of 5 units, 2 are above 0 for both images, 1 for the kept image only, 1 for the shown one only, and 1 for neither.",
  );
});

test("the units that differ the most come first", () => {
  assert.deepEqual(mostDifferent(KEPT, SHOWN, 3), [2, 3, 4]);
});
