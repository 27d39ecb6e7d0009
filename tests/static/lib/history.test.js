import assert from "node:assert/strict";
import { test } from "node:test";

import { History } from "../../../static/js/lib/history.js";

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
