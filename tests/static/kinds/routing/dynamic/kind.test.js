import assert from "node:assert/strict";
import { test } from "node:test";
import { startOf } from "../../../../../static/js/core/schema.js";
import { dynamicRouting } from "../../../../../static/js/kinds/routing/dynamic/kind.js";
import { stagedOptions } from "../../../../../static/js/kinds/routing/surgery/run.js";
import { MODEL, OTHER_MODEL, tensor } from "../../../fixtures.js";
import { network } from "./network-made.js";

const { tasks } = dynamicRouting;
const INTACT = { silenced: [], routing: "agreement", pins: [] };

test("nothing is taken over to another model", () => {
  const before = {
    ...startOf(network.schema(MODEL)),
    step: 1,
    capsule: 1151,
    surgery: { ...INTACT, silenced: [3] },
  };
  assert.deepEqual(
    startOf(network.schema(OTHER_MODEL), before),
    startOf(network.schema(OTHER_MODEL)),
  );
});

test("a class is silenced by silence alone, and in this image, once it is short", () => {
  const pixels = new Uint8Array(4);
  const surgery = { ...INTACT, silenced: [3] };
  const ran = (surgery) => ({
    surgery,
    trace: {
      pixels,
      options: stagedOptions({ model: MODEL, iterations: 3, surgery }),
      tensors: { scores: tensor([2], [0.9, 0.4]) },
    },
  });
  const state = { pixels, ...ran(surgery) };
  const isDone = (changes, classIndex = 1) =>
    tasks["silenced-below"]({ ...state, ...changes }, { classIndex, than: 0.5 });
  assert.equal(isDone({}), true);
  assert.equal(isDone({}, 0), false);
  assert.equal(isDone({ pixels: new Uint8Array(4) }), false);
  assert.equal(isDone(ran({ ...surgery, routing: "uniform" })), false);
  assert.equal(isDone({ trace: ran(INTACT).trace }), false);
});

test("the capsule that gives the most is that of the last iteration", () => {
  // Two iterations, two types at one place, two digits: c and û·v for each.
  const shape = [2, 2, 1, 1, 2];
  const trace = {
    tensors: {
      couplings: tensor(shape, [0.9, 0, 0.1, 0, 0.5, 0, 0.5, 0]),
      agreement: tensor(shape, [1, 0, 1, 0, 1, 0, 2, 0]),
      capsules: tensor([2, 2, 1], [1, 0, 1, 0]),
    },
  };
  const isDone = (capsule, classIndex) =>
    tasks["gives-most"](
      { trace, capsule, classIndex, followsStrongest: false },
      { classIndex: 0 },
    );
  assert.equal(isDone(1, 0), true);
  assert.equal(isDone(0, 0), false);
  assert.equal(isDone(1, 1), false);
});
