import assert from "node:assert/strict";
import { test } from "node:test";
import { withParameter } from "../../../static/js/lib/links.js";

test("a parameter before the # is said and taken away, and others stay", () => {
  assert.equal(withParameter("?a=1", "guide", "01/x"), "?a=1&guide=01/x");
  assert.equal(withParameter("?a=1&guide=01/x", "guide", null), "?a=1");
  assert.equal(withParameter("?guide=01/x", "guide", null), "");
});
