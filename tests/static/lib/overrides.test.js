import assert from "node:assert/strict";
import { test } from "node:test";

import {
  AUTOMATIC,
  decided,
  toFields,
  withMore,
} from "../../../static/js/lib/overrides.js";

test("nothing is decided at first, and nothing is sent", () => {
  assert.deepEqual(decided(AUTOMATIC), []);
  assert.deepEqual(toFields(AUTOMATIC), []);
});

test("what is decided is sent under its name", () => {
  const overrides = {
    invert: true,
    threshold: 0.35,
    crop: [0, 0.25, 0.5, 1],
    rotate: -12,
    thickness: 3,
    part: 0,
  };
  assert.deepEqual(toFields(overrides), [
    ["invert", "true"],
    ["threshold", "0.35"],
    ["crop", "0,0.25,0.5,1"],
    ["rotate", "-12"],
    ["thickness", "3"],
    ["part", "0"],
  ]);
});

for (const [more, part] of [
  [{ crop: [0, 0, 0.5, 1] }, null], // other digits are found there
  [{ crop: null }, null],
  [{ invert: true }, null],
  [{ threshold: 0.3 }, 2],
  [{ rotate: 90 }, 2],
  [{ crop: null, part: 1 }, 1],
]) {
  test(`after ${JSON.stringify(more)} the digit chosen is ${part}`, () => {
    assert.equal(withMore({ ...AUTOMATIC, part: 2 }, more).part, part);
  });
}
