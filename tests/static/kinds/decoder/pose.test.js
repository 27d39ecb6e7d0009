import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeWish, zeroed } from "../../../../static/js/kinds/decoder/index.js";
import { picturesOf } from "../../../../static/js/kinds/decoder/pictures.js";
import {
  benchOf,
  editing,
  editRange,
  poseOf,
} from "../../../../static/js/kinds/decoder/pose.js";
import { grey, MODEL, OTHER_MODEL, tensor } from "../../fixtures.js";

const POSES = tensor([2, 3], [0.5, 0, -0.5, 1, 2, 2]);
const STATE = {
  model: MODEL,
  layer: { words: { fallback: 0.3 } },
  trace: { model: MODEL.id, prediction: 1, tensors: { poses: POSES } },
  classIndex: null,
  edits: {},
};

test("a class's pose is its part of the tensor, vector or matrix", () => {
  assert.deepEqual(poseOf(POSES, 0), [0.5, 0, -0.5]);
  assert.deepEqual(poseOf(tensor([2, 1, 2], [1, 2, 3, 4]), 1), [3, 4]);
});

test("the bench holds the pose in focus with its edits, and how far it may be moved", () => {
  const model = { ...MODEL, card: { pose_ranges: { 1: Array(3).fill([-1, 1]) } } };
  const { classIndex, original, pose, ranges } = benchOf({
    ...STATE,
    model,
    edits: { 1: [0.25, 0, 3] },
  });
  assert.equal(classIndex, 1);
  assert.deepEqual(original, [1, 2, 2]);
  assert.deepEqual(pose, [1.25, 2, 5]);
  assert.deepEqual(ranges[0], { low: -2, high: 0.25 });
  assert.deepEqual(ranges[2], { low: -3, high: 3 });
});

/** A store's state, which hands change. */
function edited(edits = {}) {
  let state = { ...STATE, edits };
  const store = {
    get: () => state,
    set: (patch) => {
      state = { ...state, ...patch };
    },
  };
  return { ...editing(store), edits: () => state.edits };
}

test("an edit moves one number of one class, and replaces an earlier one", () => {
  const { edit, edits } = edited({ 0: [0, 1, 0] });
  edit(1, 2, 0.25);
  edit(1, 0, -0.5);
  edit(1, 2, 0.125);
  assert.deepEqual(edits(), { 0: [0, 1, 0], 1: [-0.5, 0, 0.125] });
});

test("a reset takes back one class's edits, or all", () => {
  const { reset, edits } = edited({ 0: [1, 0, 0], 1: [1, 0, 0] });
  reset(0);
  assert.deepEqual(Object.keys(edits()), ["1"]);
  reset(null);
  assert.deepEqual(edits(), {});
});

for (const [what, used, value, edit, low, high] of [
  ["what the test set uses, seen from its own value", [0.1, 0.4], 0.25, 0, -0.15, 0.15],
  ["up to a value above what is used", [0.1, 0.4], 0.5, 0, -0.4, 0],
  ["from a value below what is used", [0.1, 0.4], -0.1, 0, 0, 0.5],
  ["an edit above what is used, too", [0.1, 0.4], 0.25, 0.9, -0.15, 0.9],
  ["an edit below what is used, too", [0.1, 0.4], 0.25, -0.9, -0.9, 0.15],
  ["whole steps, never inside of what is used", [-0.2004, 0.2004], 0, 0, -0.201, 0.201],
  ["0.3 to either side without a range", undefined, 0.7, 0, -0.3, 0.3],
  ["0.3 to either side of an empty range", [0, 0], 0.7, 0, -0.3, 0.3],
])
  test(`a slider spans ${what}`, () =>
    assert.deepEqual(editRange(used, value, edit, 0.3), { low, high }));

test("the largest number of the decoded pose becomes zero, whatever its sign", () => {
  const poses = tensor([2, 3], [0.1, 0.2, -0.3, 0.25, -0.5, 0]);
  const trace = { ...STATE.trace, tensors: { poses } };
  const change = (patch) => zeroed.change({ ...STATE, trace, ...patch }).edits;
  assert.deepEqual(change({}), { 1: [0, 0.5, 0] });
  assert.deepEqual(change({ classIndex: 0 }), { 0: [0, 0, 0.3] });
  const edits = { 0: [1, 0, 0], 1: [0, 0.2, 0.1] };
  assert.deepEqual(change({ edits }), { 0: [1, 0, 0], 1: [0, 0.5, 0.1] });
});

test("what the trace has not decoded is asked for, with its edits", () => {
  assert.equal(decodeWish(STATE), null);
  assert.equal(decodeWish({ ...STATE, classIndex: 1 }), null);
  const other = { model: MODEL, classIndex: 0, pose: [0.5, 0, -0.5] };
  assert.deepEqual(decodeWish({ ...STATE, classIndex: 0 }), other);
  const edits = { 0: [9, 9, 9], 1: [0, 0.25, -1] };
  assert.deepEqual(decodeWish({ ...STATE, edits }).pose, [1, 2.25, 1]);
});

for (const [what, patch] of Object.entries({
  "there is no trace": { trace: null },
  "the trace lacks the poses": { trace: { ...STATE.trace, tensors: {} } },
  "the trace is another model's": { model: OTHER_MODEL },
}))
  test(`nothing is decoded while ${what}`, () => {
    assert.equal(decodeWish({ ...STATE, classIndex: 0, ...patch }), null);
  });

const DECODED = { classIndex: 7, pose: [0.25], data: Float32Array.of(0, 1) };
const PICTURED = {
  trace: {
    prediction: 4,
    pixels: grey([255, 0], 1),
    tensors: {
      image: tensor([1, 2], [0.5, 0.5]),
      poses: tensor([10, 1], Array(10).fill(0.25)),
    },
  },
  classIndex: null,
  edits: {},
  decoded: null,
};

test("an answer to an earlier edit, or for another class, is known to be late", () => {
  const state = { ...PICTURED, classIndex: 7, edits: { 7: [0.5] }, decoded: DECODED };
  assert.equal(picturesOf(state).isCurrent, false);
  assert.equal(picturesOf({ ...state, edits: {} }).isCurrent, true);
  assert.equal(picturesOf({ ...state, edits: {}, classIndex: 6 }).isCurrent, false);
  const answered = { ...DECODED, pose: [0.75] };
  assert.equal(picturesOf({ ...state, decoded: answered }).isCurrent, true);
});
