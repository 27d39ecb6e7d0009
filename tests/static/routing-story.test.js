import assert from "node:assert/strict";
import { test } from "node:test";

import { tell } from "../../static/js/views/routing-story.js";

const NAMES = ["0", "1", "2"];

/** A scene with these lengths, [class][iteration], and largest couplings to digit 0. */
function scene(lengths, step, { largest = [0.3, 0.4, 0.6, 0.7], trained = 3 } = {}) {
  return {
    figures: {
      lengths: () => lengths,
      spread: () => [[], [], [], largest],
    },
    step,
    digit: 0,
    name: "0",
    trace: { iterations: lengths[0].length },
    model: { class_names: NAMES, classes: 3, routing_iterations: trained },
  };
}

const CLEAR = [
  [0.5, 0.7, 0.9],
  [0.1, 0.1, 0.2],
  [0.2, 0.1, 0.1],
];

test("the first iteration is even, and says how long that makes the digit", () => {
  const words = tell(scene(CLEAR, 0));
  assert.match(words, /Iteration 1: .* c = 1\/3 .* makes 0 0\.500 long\./);
  assert.match(words, /0 is the longest, then 2 with 0\.200\./);
});

test("a later one says what changed since the one before", () => {
  const words = tell(scene(CLEAR, 2));
  assert.match(words, /up to c = 0\.600 \(before: 0\.400\)/);
  assert.match(words, /0 goes from 0\.700 to 0\.900\./);
  assert.match(words, /then 1 with 0\.200\.$/);
});

test("a close thing is called so", () => {
  const words = tell(scene([[0.5], [0.45], [0]], 0));
  assert.match(words, /A close thing: 0 leads 1 by 0\.050\./);
});

const OVERTAKEN = [
  [0.4, 0.5, 0.6, 0.8],
  [0.3, 0.4, 0.7, 0.9],
  [0, 0, 0, 0],
];

test("a digit that overtakes another is named in that iteration only", () => {
  assert.doesNotMatch(tell(scene(OVERTAKEN, 1)), /overtaken/);
  assert.match(tell(scene(OVERTAKEN, 2)), /1 has overtaken 0\./);
  assert.doesNotMatch(tell(scene(OVERTAKEN, 3)), /overtaken/);
});

test("running longer than trained is remarked on when several digits grew long", () => {
  assert.match(
    tell(scene(OVERTAKEN, 3)),
    /trained with 3 iterations; after 4, 2 digits/,
  );
  assert.doesNotMatch(tell(scene(OVERTAKEN, 2)), /trained/);
  assert.doesNotMatch(tell(scene(OVERTAKEN, 3, { trained: 4 })), /trained/);
});
