import assert from "node:assert/strict";
import { test } from "node:test";
import { readWhole, withParameter } from "../../../static/js/lib/links.js";

test("a parameter before the # is said and taken away, and others stay", () => {
  assert.equal(withParameter("?a=1", "guide", "01/x"), "?a=1&guide=01/x");
  assert.equal(withParameter("?a=1&guide=01/x", "guide", null), "?a=1");
  assert.equal(withParameter("?guide=01/x", "guide", null), "");
});

test("a whole number has a sign only where it may be negative", () => {
  assert.equal(readWhole("-3", -4, 4), -3);
  assert.equal(readWhole("3", -4, 4), 3);
  assert.ok(Object.is(readWhole("-0", -4, 4), 0));
  assert.equal(readWhole("-5", -4, 4), null);
  for (const text of ["-0", "-1", "1.5", "", null])
    assert.equal(readWhole(text, 0, 4), null);
});
