import assert from "node:assert/strict";
import { test } from "node:test";

import { explain } from "../../../static/js/bench/verdict.js";
import { MODEL } from "../fixtures.js";

const NAMED = { ...MODEL, class_names: ["0", "1", "2"] };
const DRAWING = { kind: "drawing" };
const scores = (...values) => Float32Array.from(values);

test("the longest and the runner-up are told", () => {
  assert.equal(
    explain(scores(0.1, 0.25, 0.9), NAMED, DRAWING),
    "length 0.90; runner-up 1 at 0.25.",
  );
});

test("a network that takes the image for no digit is said to", () => {
  const words = "None is longer than 0.5: the network sees none of its classes.";
  assert.ok(explain(scores(0.1, 0.25, 0.49), NAMED, DRAWING).endsWith(words));
  assert.ok(!explain(scores(0.1, 0.25, 0.51), NAMED, DRAWING).includes(words));
});

for (const [label, words] of [
  [2, "The label agrees."],
  [1, "The label says 1."],
]) {
  test(`where a label is known, it is compared: ${label}`, () => {
    const sample = { kind: "sample", id: "a", label, title: "a digit" };
    assert.ok(explain(scores(0, 0, 0.9), NAMED, sample).endsWith(words));
  });
}

test("a score is called what the model says it is", () => {
  const cnn = { ...NAMED, scores: "probability" };
  assert.equal(
    explain(scores(0.1, 0.25, 0.65), cnn, DRAWING),
    "probability 0.65; runner-up 1 at 0.25.",
  );
  const words = "None is above 0.5: the network is undecided.";
  assert.ok(explain(scores(0.3, 0.3, 0.4), cnn, DRAWING).endsWith(words));
});
