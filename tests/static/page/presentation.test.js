import assert from "node:assert/strict";
import { test } from "node:test";
import { readPresented, writePresented } from "../../../static/js/page/presentation.js";

for (const [search, panel] of [
  ["", null],
  ["?other=3", null],
  ["?present", 0],
  ["?present=1", 0],
  ["?present=4", 3],
  ["?present=0", 0],
  ["?present=nonsense", 0],
  ["?other=1&present=2", 1],
]) {
  test(`“${search}” presents ${panel === null ? "nothing" : `panel ${panel}`}`, () => {
    assert.equal(readPresented(search), panel);
  });
}

test("what is written is read again, and what else an address says is kept", () => {
  assert.equal(writePresented("", 2), "?present=3");
  assert.equal(readPresented(writePresented("?other=1", 2)), 2);
  assert.equal(writePresented("?other=1&present=5", 2), "?other=1&present=3");
  assert.equal(writePresented("?other=1&present=5", null), "?other=1");
  assert.equal(writePresented("?present", null), "");
});
