import assert from "node:assert/strict";
import { test } from "node:test";
import { turnedWords } from "../../../../static/js/kinds/capsules/compared.js";
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

test("what no capsule sees is said, as far as there is anything", () => {
  const seen = { row: 0, column: 0, size: 27 };
  says(seenWords(seen, [1, 28, 28]), "27×27 pixels.…the last row and the last column");
  says(seenWords(seen, [1, 27, 29]), "27×27 pixels.…the last 2 columns");
  says(seenWords({ ...seen, columns: 31 }, [1, 27, 31]), "the same 27×31 pixels.");
});

const of = (...values) => Float32Array.from(values);

test("two images are compared by how far capsules turn, and by their lengths", () => {
  const kept = of(0.5, 0, 0, 0.8, 0.3, 0.4);
  says(
    turnedWords([kept, kept], [of(0.5, 0.8, 0.5), of(0.5, 0.8, 0.5)]),
    "All 3 capsules are the same",
  );
  const shown = of(0, 0.5, 0, 0.6, 0.3, 0.4);
  says(
    turnedWords([kept, shown], [of(0.5, 0.8, 0.5), of(0.5, 0.6, 0.5)]),
    "0 turns the most, by 90°…1 the least…capsule 1…0.800…0.600",
  );
  says(turnedWords([of(1, 0), of(0, 1)], [of(1), of(1)]), "by 90°…No length differs.");
  says(
    turnedWords([of(0.5, 0), of(0.7, 0)], [of(0.5), of(0.7)]),
    "No capsule turns…capsule 0 differs the most…0.500…0.700",
  );
});
