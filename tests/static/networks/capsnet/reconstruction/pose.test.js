import assert from "node:assert/strict";
import { test } from "node:test";

import {
  editedPose,
  lengthOf,
  poseOf,
  roundedEdit,
} from "../../../../../static/js/networks/capsnet/reconstruction/pose.js";

const CAPSULES = { shape: [2, 3], data: Float32Array.of(0.5, 0, -0.5, 1, 2, 2) };

test("a digit's capsule is its row", () => {
  assert.deepEqual(poseOf(CAPSULES, 0), [0.5, 0, -0.5]);
  assert.deepEqual(poseOf(CAPSULES, 1), [1, 2, 2]);
});

test("edits are added to the network's own numbers, which stay as they are", () => {
  const original = [0.5, 0, -0.5];
  assert.deepEqual(editedPose(original, [0, 0.25, 0.5]), [0.5, 0.25, 0]);
  assert.deepEqual(original, [0.5, 0, -0.5]);
});

test("without edits the capsule is a copy", () => {
  const original = [0.5, 1];
  const pose = editedPose(original, undefined);
  assert.deepEqual(pose, original);
  assert.notEqual(pose, original);
});

test("the length is the root of the summed squares", () => {
  assert.equal(lengthOf([1, 2, 2]), 3);
});

test("edits keep three decimals and know one zero only", () => {
  assert.equal(roundedEdit(0.12349), 0.123);
  assert.ok(Object.is(roundedEdit(-0.0001), 0));
});
