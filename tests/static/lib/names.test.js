import assert from "node:assert/strict";
import { test } from "node:test";

import { areLong, longestName } from "../../../static/js/lib/names.js";

test("the longest name is counted in characters, not in code units", () => {
  assert.equal(longestName(["0", "1"]), 1);
  assert.equal(longestName(["Bag", "Ankle boot"]), 10);
  assert.equal(longestName(["𝟘𝟙"]), 2);
});

test("without names there is still room for one character", () => {
  assert.equal(longestName([]), 1);
  assert.equal(longestName([""]), 1);
});

test("one word among digits is enough to need more room", () => {
  assert.ok(!areLong(["0", "10"]));
  assert.ok(areLong(["0", "ten"]));
});
