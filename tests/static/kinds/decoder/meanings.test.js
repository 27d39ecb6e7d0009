import assert from "node:assert/strict";
import { test } from "node:test";
import {
  amountOf,
  meaningInFull,
  meaningInShort,
} from "../../../../static/js/kinds/decoder/meanings.js";
import { editedWords } from "../../../../static/js/kinds/decoder/view.js";
import { says } from "../../fixtures.js";

const SLANT = {
  strongest: "slant",
  correlation: -0.912,
  change: -31.4,
  next: "height",
  is_single: true,
  unexplained: 0.34,
};

test("a number that moves one property is named after it", () => {
  assert.equal(meaningInShort(SLANT), "mostly slant, r = −0.91");
});

test("a number that moves several is named after the two that it moves most", () => {
  const several = { ...SLANT, is_single: false };
  assert.equal(meaningInShort(several), "slant, also height; r = −0.91");
  assert.equal(meaningInShort({ ...several, next: null }), "slant, r = −0.91");
});

test("the full words tell direction, runner-up and remainder", () => {
  says(
    meaningInFull(SLANT, { images: 100, classes: [] }, "4"),
    "slant −31° (leans left); next, height. 34 %…up to 100 test images",
  );
});

test("amounts have their unit and a true sign", () => {
  assert.equal(amountOf("slant", 12.4), "slant +12°");
  assert.equal(amountOf("thickness", -0.62), "thickness −0.6 px");
  assert.equal(amountOf("loops", 20), "size of loops +20 px²");
});

test("an edited capsule is told with its length, and beyond 1 with what squash keeps", () => {
  assert.equal(editedWords(0.9734), "Edited, it is 0.973 long.");
  assert.equal(editedWords(1.0004), "Edited, it is 1.000 long.");
  says(editedWords(1.3204), "Edited, it is 1.320 long. Squash keeps");
});
