import assert from "node:assert/strict";
import { test } from "node:test";
import { hasPlaces } from "../../../../static/js/kinds/capsules/source.js";
import {
  saturatedLength,
  squashedLength,
  squashOf,
} from "../../../../static/js/kinds/capsules/squash.js";

test("this squash keeps short vectors longer, and never reaches 1", () => {
  assert.equal(saturatedLength(0), 0);
  for (const length of [1e-6, 0.1, 1, 3, 8]) {
    const squashed = saturatedLength(length);
    assert.ok(Math.abs(squashed - (1 - Math.exp(-length))) < 1e-9);
    assert.ok(squashed > squashedLength(length) && squashed < 1);
  }
  assert.equal(squashOf({ words: { squash: "exponential" } }), saturatedLength);
  assert.equal(squashOf({}), squashedLength);
});

test("capsules that are shown as a tensor see nothing that is known", () => {
  assert.equal(hasPlaces({ form: "vectors" }), true);
  assert.equal(hasPlaces({ form: "vectors", order: "view" }), false);
  assert.equal(hasPlaces({ kind: { name: "tensor" } }), false);
});
