import assert from "node:assert/strict";
import { test } from "node:test";
import { asSentence } from "../../../static/js/lib/sentence.js";

test("a message becomes a sentence, and a sentence stays one", () => {
  assert.equal(asSentence("the server is busy"), "The server is busy.");
  assert.equal(asSentence("Try again."), "Try again.");
  assert.equal(asSentence("is it there?"), "Is it there?");
});
