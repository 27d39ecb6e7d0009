import assert from "node:assert/strict";
import { test } from "node:test";
import { readWhole } from "../../../static/js/lib/links.js";

test("a whole number has a sign only where it may be negative", () => {
  assert.equal(readWhole("-3", -4, 4), -3);
  assert.equal(readWhole("3", -4, 4), 3);
  assert.ok(Object.is(readWhole("-0", -4, 4), 0));
  assert.equal(readWhole("-5", -4, 4), null);
  for (const text of ["-0", "-1", "1.5", "", null])
    assert.equal(readWhole(text, 0, 4), null);
});
