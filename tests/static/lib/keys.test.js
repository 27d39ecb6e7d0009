import assert from "node:assert/strict";
import { test } from "node:test";
import { asksForHelp, digitOf, latinOf } from "../../../static/js/lib/keys.js";

const key = (key, code, shiftKey = false) => ({ key, code, shiftKey });

for (const [name, event, letter] of [
  ["English", key("z", "KeyZ"), "z"],
  ["English, with Shift", key("Z", "KeyZ", true), "z"],
  ["German, where Y and Z change places", key("z", "KeyY"), "z"],
  ["French", key("w", "KeyZ"), "w"],
  ["Russian", key("я", "KeyZ"), "z"],
  ["Greek", key("ζ", "KeyZ"), "z"],
  ["Hebrew", key("ז", "KeyZ"), "z"],
  ["Hebrew, a sign in a letter’s place", key("/", "KeyQ"), "/"],
  ["Russian, a letter in a sign’s place", key("ю", "Period"), "."],
  ["a key with a name", key("Escape", "KeyZ"), "Escape"],
  ["no code", key("я", ""), "я"],
]) {
  test(`the letter of a key: ${name}`, () => assert.equal(latinOf(event), letter));
}

for (const [name, event, digit] of [
  ["English", key("3", "Digit3"), 3],
  ["English, with Shift", key("#", "Digit3", true), null],
  ["French", key('"', "Digit3"), 3],
  ["French, with Shift", key("3", "Digit3", true), 3],
  ["Arabic", key("٣", "Digit3"), 3],
  ["beside the others", key("3", "Numpad3"), 3],
  ["the same, without Num Lock", key("PageDown", "Numpad3"), null],
  ["no digit", key("z", "KeyZ"), null],
]) {
  test(`the digit of a key: ${name}`, () => assert.equal(digitOf(event), digit));
}

test("help is asked for by a question mark of any script", () => {
  assert.ok(asksForHelp(key("?", "Minus", true))); // German
  assert.ok(asksForHelp(key("؟", "Slash", true))); // Arabic
  assert.ok(!asksForHelp(key("/", "Slash")));
  assert.ok(!asksForHelp(key("_", "Slash", true)));
});
