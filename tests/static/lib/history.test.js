import assert from "node:assert/strict";
import { test } from "node:test";
import { History, Undo } from "../../../static/js/lib/history.js";

test("what was shown comes back, and forward again", () => {
  const history = new History(["a"]);
  history.add("b");
  history.add("c");
  assert.equal(history.back(), "b");
  assert.equal(history.back(), "a");
  assert.equal(history.hasEarlier, false);
  assert.equal(history.back(), "a");
  assert.equal(history.forward(), "b");
  assert.equal(history.forward(), "c");
  assert.equal(history.hasLater, false);
});

test("something new takes the place of what was taken back", () => {
  const history = new History(["a"]);
  history.add("b");
  history.back();
  history.add("c");
  assert.equal(history.hasLater, false);
  assert.equal(history.back(), "a");
});

test("a replacement is no entry of its own", () => {
  const history = new History(["a"]);
  history.add("b");
  history.replace("B");
  assert.equal(history.back(), "a");
  assert.equal(history.forward(), "B");
});

test("the oldest are forgotten", () => {
  const history = new History([0]);
  for (let i = 1; i < 1000; i++) history.add(i);
  let count = 1;
  while (history.hasEarlier) {
    history.back();
    count++;
  }
  assert.equal(count, 100);
  assert.equal(history.now, 900);
});

test("an excerpt holds what is on show, and as much around it", () => {
  const history = new History(["a", "b", "c", "d"], 2);
  assert.deepEqual(history.excerpt(2), { values: ["b", "c"], at: 1 });
  assert.deepEqual(history.excerpt(9), { values: ["a", "b", "c", "d"], at: 2 });
});

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
