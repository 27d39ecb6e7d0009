import assert from "node:assert/strict";
import { test } from "node:test";
import { extentOf } from "../../../static/js/draw/compared.js";

test("a bar begins at 0 and ends at its share of the scale", () => {
  assert.deepEqual(extentOf(0.25, 0.5, false), { left: 0, width: 50 });
  assert.deepEqual(extentOf(0.25, 0.5, true), { left: 50, width: 25 });
  assert.deepEqual(extentOf(-0.25, 0.5, true), { left: 25, width: 25 });
});

test("what is beyond the scale ends with it", () => {
  assert.deepEqual(extentOf(-2, 0.5, true), { left: 0, width: 50 });
});
