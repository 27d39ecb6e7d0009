import assert from "node:assert/strict";
import { test } from "node:test";

import { tasks } from "../../../../static/js/networks/capsnet/tasks.js";

const tensor = (data, shape) => ({ data: Float32Array.from(data), shape });
const INTACT = { silenced: [], routing: "agreement", pins: [] };

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

test("the capsule that gives the most is that of the last iteration", () => {
  // Two iterations, two types at one place, two digits: c and û·v for each.
  const shape = [2, 2, 1, 1, 2];
  const trace = {
    tensors: {
      "routing.couplings": tensor([0.9, 0, 0.1, 0, 0.5, 0, 0.5, 0], shape),
      "routing.agreement": tensor([1, 0, 1, 0, 1, 0, 2, 0], shape),
      "routing.capsules": tensor([1, 0, 1, 0], [2, 2, 1]),
    },
  };
  const isDone = (capsule, digit) =>
    tasks["gives-most"](
      { trace, capsule, digit, followsStrongest: false },
      { digit: 0 },
    );
  assert.equal(isDone(1, 0), true);
  assert.equal(isDone(0, 0), false);
  assert.equal(isDone(1, 1), false);
});

test("only silence may turn the answer away, and only of this image", () => {
  const pixels = new Uint8Array(4);
  const surgery = { ...INTACT, silenced: [3] };
  const operated = {
    pixels,
    surgery,
    tensors: { "digits.lengths": tensor([0.9, 0.1], [2]) },
  };
  const state = { operated, pixels, surgery };
  assert.equal(tasks["silenced-away"](state, { digit: 1 }), true);
  assert.equal(tasks["silenced-away"](state, { digit: 0 }), false);
  assert.equal(
    tasks["silenced-away"]({ ...state, pixels: new Uint8Array(4) }, { digit: 1 }),
    false,
  );
  const uniform = { ...surgery, routing: "uniform" };
  assert.equal(
    tasks["silenced-away"](
      { operated: { ...operated, surgery: uniform }, pixels, surgery: uniform },
      { digit: 1 },
    ),
    false,
  );
});
