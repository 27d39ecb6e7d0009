import assert from "node:assert/strict";
import { test } from "node:test";
import { noteWords } from "../../../static/js/train/note.js";

const words = (config, setting, text) =>
  noteWords({
    card: { config, described: { sentences: text ? [{ setting, text }] : [] } },
  });

test("a network that computes otherwise than the page's words says so, and no other", () => {
  assert.match(
    words({}, "axis", "Its softmax runs over the capsules."),
    /^Its softmax runs over the capsules\. The pictures show what it computes/,
  );
  assert.match(words({ mistake: "view" }), /^Its primary capsules are cut by view: /);
  // The page shows what it computes, words and sums included.
  assert.equal(words({}, "iterations", "It has 4 iterations."), "");
  assert.equal(words({ mistake: "none" }), "");
  assert.equal(noteWords({ card: { config: {} } }), "");
});
