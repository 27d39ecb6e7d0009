import assert from "node:assert/strict";
import { test } from "node:test";
import { readingIn } from "../../../../static/js/lab/shared/verdicts.js";
import { MODEL, tensor } from "../../fixtures.js";

/** Reads 4, far longer than all others. */
const trace = {
  tensors: { scores: tensor([10], [0, 0, 0, 0, 0.9, 0, 0, 0, 0, 0]) },
};

test("without a label another reading is unlike, and never wrong", () => {
  const mark = (followed, isKnown) =>
    readingIn(MODEL, { trace, followed, isKnown }).mark;
  assert.equal(mark(4, true), null);
  assert.equal(mark(4, false), null);
  assert.equal(mark(7, true), "is-wrong");
  assert.equal(mark(7, false), "is-unlike");
  assert.equal(mark(null, false), null);
  const unread = { trace: undefined, followed: 7, isKnown: true };
  assert.equal(readingIn(MODEL, unread).mark, null);
});
