import assert from "node:assert/strict";
import { test } from "node:test";

import { Undo } from "../../../static/js/lib/undo.js";

test("changes are taken back one by one, the newest first", () => {
  const undo = new Undo();
  assert.ok(undo.isEmpty);
  undo.keep("a");
  undo.keep("b");
  assert.equal(undo.back(), "b");
  assert.equal(undo.back(), "a");
  assert.ok(undo.isEmpty);
  assert.equal(undo.back(), undefined);
});

test("changes of one kind in a row are taken back together", () => {
  const undo = new Undo();
  undo.keep("before", "cell 1");
  undo.keep("while", "cell 1");
  undo.keep("then", "cell 2");
  assert.equal(undo.back(), "then");
  assert.equal(undo.back(), "before");
  assert.ok(undo.isEmpty);
});

test("after taking back, the same kind begins anew", () => {
  const undo = new Undo();
  undo.keep("a", "bias");
  undo.back();
  undo.keep("b", "bias");
  assert.equal(undo.back(), "b");
});

test("the oldest are forgotten", () => {
  const undo = new Undo();
  for (let i = 0; i < 1000; i++) undo.keep(i);
  let count = 0;
  while (!undo.isEmpty) {
    undo.back();
    count++;
  }
  assert.equal(count, 100);
});
