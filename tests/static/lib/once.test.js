import assert from "node:assert/strict";
import { test } from "node:test";

import {
  once,
  onceEach,
  onceFor,
  onceUntilChanged,
} from "../../../static/js/lib/once.js";

test("a thing is computed when it is first asked for, and never again", () => {
  let times = 0;
  const thing = once(() => {
    times++;
    return undefined;
  });
  assert.equal(times, 0);
  thing();
  thing();
  assert.equal(times, 1);
});

test("each index has a thing of its own", () => {
  const asked = [];
  const thing = onceEach((index) => {
    asked.push(index);
    return { index };
  });
  assert.equal(thing(2), thing(2));
  assert.deepEqual(thing(0), { index: 0 });
  assert.deepEqual(asked, [2, 0]);
});

test("what belongs to the same key is the same thing", () => {
  const key = {};
  const thing = onceFor(
    (of) => of.key,
    (of) => ({ of }),
  );
  const first = { key };
  assert.equal(thing(first), thing({ key, more: true }));
  assert.equal(thing({ key }).of, first);
  assert.notEqual(thing({ key: {} }), thing(first));
});

test("the last thing is kept until something changes", () => {
  let times = 0;
  const sum = onceUntilChanged((a, b) => {
    times++;
    return a + b;
  });
  assert.deepEqual([sum(1, 2), sum(1, 2), sum(1, 3), sum(1, 2)], [3, 3, 4, 3]);
  assert.equal(times, 3);
});
