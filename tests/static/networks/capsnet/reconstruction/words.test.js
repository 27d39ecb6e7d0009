import assert from "node:assert/strict";
import { test } from "node:test";

import { editedWords } from "../../../../../static/js/networks/capsnet/reconstruction/index.js";

test("a capsule that squash could have made is told with its length", () => {
  assert.equal(editedWords(0.9734), "Edited, it is 0.973 long.");
});

test("a length that reads as 1 is not called longer", () => {
  assert.equal(editedWords(1.0004), "Edited, it is 1.000 long.");
});

test("a longer one is told to be beyond what the decoder was trained on", () => {
  assert.match(editedWords(1.3204), /^Edited, it is 1\.320 long\. Squash keeps/);
});
