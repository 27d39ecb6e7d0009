import assert from "node:assert/strict";
import { test } from "node:test";

import { explain } from "../../static/js/views/verdict.js";
import { MODEL, tensor } from "./fixtures.js";

const NAMED = { ...MODEL, class_names: ["0", "1", "2"] };
const DRAWING = { kind: "drawing" };

function traceOf(...lengths) {
  return { tensors: { "digits.lengths": tensor([3], lengths) } };
}

test("the longest and the runner-up are told", () => {
  assert.equal(
    explain(traceOf(0.1, 0.25, 0.9), NAMED, DRAWING),
    "length 0.90; runner-up 1 at 0.25.",
  );
});

test("a network that takes the image for no digit is said to", () => {
  const words = "None is longer than 0.5: the network takes it for no digit.";
  assert.ok(explain(traceOf(0.1, 0.25, 0.49), NAMED, DRAWING).endsWith(words));
  assert.ok(!explain(traceOf(0.1, 0.25, 0.51), NAMED, DRAWING).includes(words));
});

for (const [label, words] of [
  [2, "The label agrees."],
  [1, "The label says 1."],
]) {
  test(`where a label is known, it is compared: ${label}`, () => {
    const sample = { kind: "sample", id: "a", label, title: "a digit" };
    assert.ok(explain(traceOf(0, 0, 0.9), NAMED, sample).endsWith(words));
  });
}
