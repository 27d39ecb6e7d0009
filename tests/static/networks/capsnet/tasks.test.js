import assert from "node:assert/strict";
import { test } from "node:test";

import { tasks } from "../../../../static/js/networks/capsnet/tasks.js";

const tensor = (data, shape) => ({ data: Float32Array.from(data), shape });

test("a capsule must be longer than said, and chosen", () => {
  const trace = { tensors: { "primary.lengths": tensor([0.2, 0.8], [2, 1, 1]) } };
  const isDone = (capsule, followsStrongest) =>
    tasks["long-capsule"]({ trace, capsule, followsStrongest }, { than: 0.5 });
  assert.equal(isDone(1, false), true);
  assert.equal(isDone(0, false), false);
  assert.equal(isDone(1, true), false);
});

test("a kernel finds horizontal edges if its rows differ in sign alone", () => {
  const isDone = (weights, shown = "own") =>
    tasks["horizontal-edge"]({ conv1: { shown }, kernel: { size: 3, weights } }, {});
  assert.equal(isDone([1, 1, 1, 0, 0, 0, -1, -1, -1]), true);
  assert.equal(isDone([-1, -2, -1, 0, 0, 0, 1, 2, 1]), true);
  assert.equal(isDone([-1, 0, 1, -1, 0, 1, -1, 0, 1]), false); // vertical
  assert.equal(isDone([-1, -1, 0, -1, 0, 1, 0, 1, 1]), false); // diagonal
  assert.equal(isDone([1, 1, 1, 0, 0, 0, -1, -1, -1], "relu"), false);
});
