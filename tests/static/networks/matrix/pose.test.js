import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeWish } from "../../../../static/js/networks/matrix/reconstruction/decoded.js";
import {
  benchOf,
  pictureOf,
  spanOf,
} from "../../../../static/js/networks/matrix/reconstruction/pose.js";
import { tensor } from "../../fixtures.js";
import { MATRIX_MODEL } from "./made.js";

const POSES = tensor(
  [10, 4, 4],
  Array.from({ length: 160 }, (_, i) => i),
);
const EDITS = Array.from({ length: 16 }, (_, i) => (i === 2 ? 0.5 : 0));

test("a pose on the bench is the network's with its edits", () => {
  const { original, pose } = benchOf(POSES, 1, EDITS);
  assert.equal(original[2], 18);
  assert.equal(pose[2], 18.5);
  assert.deepEqual(benchOf(POSES, 1, undefined).pose, original);
});

test("a slider spans what the card records, and always where it stands", () => {
  const bench = benchOf(POSES, 0, EDITS);
  assert.deepEqual(spanOf(MATRIX_MODEL, 0, 2, bench), [0, 4]);
  const ranges = { 0: Array.from({ length: 16 }, () => [-1, 1]) };
  const model = { card: { pose_ranges: ranges } };
  assert.deepEqual(spanOf(model, 0, 0, bench), [-1, 1]);
  assert.deepEqual(spanOf(model, 0, 2, bench), [-1, 2.5]);
});

test("a picture is shown with what it is of", () => {
  const own = Float32Array.of(0.5);
  const decoded = { digit: 7, pose: [1, 2], data: Float32Array.of(1) };
  const of = { own, isOwn: false, decoded, digit: 7, pose: [1, 2] };
  assert.deepEqual(pictureOf({ ...of, isOwn: true }), { data: own, isCurrent: true });
  assert.deepEqual(pictureOf(of), { data: decoded.data, isCurrent: true });
  assert.equal(pictureOf({ ...of, pose: [1, 3] }).isCurrent, false);
  assert.equal(pictureOf({ ...of, digit: 6 }), null);
});

test("only what the trace has not decoded is asked for", () => {
  const trace = {
    model: MATRIX_MODEL.id,
    prediction: 4,
    tensors: { "classes.poses": POSES },
  };
  const state = {
    trace,
    digit: null,
    edits: {},
    view: "reconstruction",
    model: MATRIX_MODEL,
  };
  assert.equal(decodeWish(state), null);
  assert.equal(decodeWish({ ...state, digit: 1, view: "classes" }), null);
  assert.equal(decodeWish({ ...state, digit: 1 }).pose[0], 16);
  assert.equal(decodeWish({ ...state, edits: { 4: EDITS } }).pose[2], 66.5);
});
