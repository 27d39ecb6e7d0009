import assert from "node:assert/strict";
import { test } from "node:test";
import { isPresented, writePresented } from "../../../static/js/page/presentation.js";

for (const [search, is] of [
  ["", false],
  ["?other=3", false],
  ["?present", true],
  ["?present=", true],
  ["?present=4", true], // a slide, once
  ["?other=1&present=2", true],
]) {
  test(`“${search}” presents ${is ? "what is open" : "nothing"}`, () => {
    assert.equal(isPresented(search), is);
  });
}

test("what is written is read again, and what else an address says is kept", () => {
  assert.ok(isPresented(writePresented("", true)));
  assert.equal(writePresented("?other=1", true), "?other=1&present=");
  assert.equal(writePresented("?other=1&present=5", false), "?other=1");
  assert.equal(writePresented("?present", false), "");
});
