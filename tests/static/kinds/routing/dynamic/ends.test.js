/** None of the above: one more end for what capsules send, in every sum and sentence. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { wanted } from "../../../../../static/js/kinds/routing/dynamic/answers.js";
import {
  endsOf,
  withNone,
} from "../../../../../static/js/kinds/routing/dynamic/ends.js";
import { figuresOf } from "../../../../../static/js/kinds/routing/dynamic/figures.js";
import {
  courseOf,
  distanceFrom,
  softmaxOf,
} from "../../../../../static/js/kinds/routing/dynamic/microscope/course.js";
import { MODEL, tensor } from "../../../fixtures.js";
import { LAYER } from "./network-made.js";

/**
 * One type on a grid of 1 × 2, two iterations, two classes. At first all is even; then the
 * first capsule leaves 1/2 to none of the above, the second 1/8.
 */
const COUPLINGS = tensor(
  [2, 1, 1, 2, 2],
  [...[1 / 3, 1 / 3, 1 / 3, 1 / 3], ...[1 / 4, 1 / 4, 3 / 4, 1 / 8]],
);
const NONE = tensor([2, 1, 1, 2], [1 / 3, 1 / 3, 1 / 2, 1 / 8]);
const TENSORS = {
  couplings: withNone(COUPLINGS, NONE),
  agreement: tensor([2, 1, 1, 2, 2], [0, 0, 1, 0, 0, 0, 1, 0]),
  capsules: tensor([2, 2, 1], [0.5, 0.1, 0.6, 0.1]),
  lengths: tensor([1, 1, 2], [0.5, 1]),
};

test("couplings with none of the above sum to 1, and stand where they stood", () => {
  const { shape, data } = TENSORS.couplings;
  assert.deepEqual(shape, [2, 1, 1, 2, 3]);
  assert.deepEqual([...data.slice(6)], [1 / 4, 1 / 4, 1 / 2, 3 / 4, 1 / 8, 1 / 8]);
});

test("a network has it if its traces do, and it comes after the classes", () => {
  const info = { name: "routing.none", shape: [3, 32, 6, 6] };
  const model = { ...MODEL, id: "one", tensors: [...MODEL.tensors, info] };
  const names = MODEL.class_names;
  assert.deepEqual(endsOf({ layer: LAYER, model }), [...names, "none of the above"]);
  assert.deepEqual(endsOf({ layer: LAYER, model: { ...MODEL } }), names);
  const state = { view: "routing" };
  assert.deepEqual(wanted({ ...state, model }, LAYER), ["routing.none"]);
  assert.deepEqual(wanted({ ...state, model: MODEL }, LAYER), []);
  const away = { ...state, model, view: "conv1" };
  assert.deepEqual(wanted(away, LAYER), []);
});

test("its share of all capsule length", () => {
  const figures = figuresOf({ tensors: TENSORS, ran: { silenced: [] } });
  // (1/2 · 0.5 + 1/8 · 1) ∕ 1.5
  assert.ok(Math.abs(figures.none(1) - 0.25) < 1e-7);
  const tensors = { ...TENSORS, couplings: { ...TENSORS.couplings } };
  const silent = figuresOf({ tensors, ran: { silenced: [0] } });
  assert.equal(silent.none(1), 1 / 8);
});

test("under the microscope its term is e to the 0, and all shares sum to 1", () => {
  const agreement = tensor([2, 1, 1, 1, 2], [1.0986, 1.6094, 0.5, 0.25]);
  const rule = { isRouted: true, pin: null };
  const course = courseOf(agreement, 0, rule, 3);
  const [first, second] = course;
  assert.deepEqual(first.couplings, [0.3333, 0.3333, 0.3333]);
  assert.deepEqual(second.logits, [1.0986, 1.6094, 0]);
  // e^b is 3, 5 and 1, but for rounding.
  assert.deepEqual(second.couplings, [0.3333, 0.5555, 0.1111]);
  assert.deepEqual(second.next, [1.5986, 1.8594, 0]);
  const { terms, sum } = softmaxOf(second, rule);
  assert.equal(terms[2], 1);
  assert.ok(Math.abs(sum - 9) < 1e-3);
  const traced = [...first.couplings, 0.3333, 0.5555, 0.1211];
  const tensors = {
    logits: tensor([2, 1, 1, 1, 2], [0, 0, 1.0986, 1.6094]),
    couplings: tensor([2, 1, 1, 1, 3], traced),
  };
  assert.ok(Math.abs(distanceFrom(course, tensors, 0).apart - 0.01) < 1e-6);
});

test("of what a held coupling leaves, it takes its part", () => {
  const agreement = tensor([2, 1, 1, 1, 2], [0, Math.log(3), 0, 0]);
  const pin = { capsule: 0, classIndex: 0, coupling: 0.6 };
  const [, second] = courseOf(agreement, 0, { isRouted: true, pin }, 3);
  // 0.4 shared by e^ln 3 = 3 and e^0 = 1
  assert.deepEqual(second.couplings, [0.6, 0.3, 0.1]);
});
