import assert from "node:assert/strict";
import { test } from "node:test";
import { hasPlaces } from "../../../../static/js/kinds/capsules/source.js";
import {
  saturatedLength,
  squashedLength,
  squashOf,
} from "../../../../static/js/kinds/capsules/squash.js";
import { seenWords } from "../../../../static/js/kinds/capsules/words.js";
import { says } from "../../fixtures.js";

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

test("what no capsule sees is said, as far as there is anything", () => {
  const seen = { row: 0, column: 0, size: 27 };
  says(seenWords(seen, [1, 28, 28]), "27×27 pixels.…the last row and the last column");
  says(seenWords(seen, [1, 27, 29]), "27×27 pixels.…the last 2 columns");
  says(seenWords({ ...seen, columns: 31 }, [1, 27, 31]), "the same 27×31 pixels.");
});
