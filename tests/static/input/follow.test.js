import assert from "node:assert/strict";
import { test } from "node:test";

import { followOf, followWords } from "../../../static/js/input/follow.js";

/** Three knobs of two categories: the first category’s best number is the second, 0.5. */
const largest = { code: [0.5, null], pixels: [0.75, 0.1], shuffled: [0.01, 0] };
const classes = [
  [0.1, 0.5, null, -0.02],
  [null, null, null, null],
];
const cardOf = (follow) => {
  const knobs = Object.fromEntries(
    ["azimuth", "elevation", "light"].map((name) => [name, { follow }]),
  );
  const pose_reading = { code: "pose", images: 3000, knobs };
  return { card: { measurements: { pose_reading } } };
};

test("the best number of each knob is named, beside pixels and shuffled sides", () => {
  const found = followOf(cardOf({ largest, classes }));
  const words = followWords(found, 0);
  assert.match(words, /category animal: on the turn 0\.50 \(number 2\), the camera/);
  assert.match(words, /For the best single pixel it is 0\.75, 0\.75 and 0\.75/);
  assert.match(words, /shuffled, 0\.01, 0\.01 and 0\.01\./);
});

test("a hidden layer has no numbers to name", () => {
  const words = followWords(followOf(cardOf({ largest })), 0);
  assert.match(words, /on the turn 0\.50, the camera/);
  assert.doesNotMatch(words, /\(number/);
});

test("nothing is told where it was not measured", () => {
  assert.equal(followOf({ card: {} }), null);
  assert.equal(followOf(cardOf(undefined)), null);
});
