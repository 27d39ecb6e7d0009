import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bothCurvesWords,
  bothWords,
} from "../../../../static/js/lab/attack/both-words.js";
import { START } from "../../../../static/js/lab/attack/choices.js";

const measured = (/** @type {number} */ images, /** @type {number[]} */ accuracy) =>
  /** @type {any} */ ({ images, values: [0, 0.1], accuracy });

test("both gradients are told in the same order, and which lowers the score further", () => {
  const [a, b] = [measured(2000, [1, 0.75]), measured(500, [1, 0.8])];
  assert.equal(
    bothWords("length of 4", 0.1, [
      { score: 0.3, test: a },
      { score: 0.6, test: b },
    ]),
    "With ε = 0.10, its length of 4 is 0.30 when attacked through all iterations, and 0.60 through the last iteration alone: the gradient through all iterations lowers it further. Test images are still read right: 75.0\u202f% of 2\u202f000 after the first attack, 80.0\u202f% of 500 after the second.",
  );
  assert.match(
    bothWords("length of 4", 0.1, [
      { score: 0.6, test: a },
      { score: 0.3, test: null },
    ]),
    /alone: the gradient through the last iteration alone lowers it further\.$/,
  );
});

test("equal scores are told as equal, and what was not measured is left out", () => {
  const test = measured(500, [1, 0.8]);
  assert.equal(
    bothWords("length of 4", 0.3, [
      { score: 0.501, test },
      { score: 0.499, test },
    ]),
    "With ε = 0.30, its length of 4 is 0.50 when attacked through all iterations, and when attacked through the last iteration alone.",
  );
});

test("the caption says which line is which, and how many images stand behind it", () => {
  const test = measured(2000, [1, 0.8]);
  assert.equal(
    bothCurvesWords("length of 4", START, test, null),
    "Lines: length of 4, this digit, attacked through all iterations (solid) and through the last iteration alone (dashed). Behind them: share of test images read right, of 2\u202f000 after the first (band).",
  );
  assert.match(
    bothCurvesWords("length of 4", { ...START, gradient: "last" }, null, null),
    /through the last iteration alone \(solid\).*is not measured for this attack\.$/,
  );
});
