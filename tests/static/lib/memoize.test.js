import assert from "node:assert/strict";
import { test } from "node:test";
import {
  memoize,
  memoizeByIndex,
  memoizeByObject,
} from "../../../static/js/lib/memoize.js";

test("it is computed the first time, and again when an argument is another", () => {
  const calls = [];
  const compute = memoize((...of) => calls.push(of));
  const results = [
    ["a", 1],
    ["a", 1],
    ["a", 2],
    ["a", 1],
  ].map((of) => compute(...of));
  assert.deepEqual(calls, [
    ["a", 1],
    ["a", 2],
    ["a", 1],
  ]);
  assert.deepEqual(results, [1, 1, 2, 3]);
});

test("without arguments it is computed when first asked for, and never again", () => {
  let times = 0;
  const compute = memoize(() => {
    times++;
    return undefined;
  });
  assert.equal(times, 0);
  compute();
  compute();
  assert.equal(times, 1);
});

test("each index has a thing of its own", () => {
  const calls = [];
  const thing = memoizeByIndex((index) => {
    calls.push(index);
    return { index };
  });
  assert.equal(thing(2), thing(2));
  assert.deepEqual(thing(0), { index: 0 });
  assert.deepEqual(calls, [2, 0]);
});

test("what belongs to the same object is the same thing", () => {
  const key = {};
  const thing = memoizeByObject(
    (of) => of.key,
    (of) => ({ of }),
  );
  const first = { key };
  assert.equal(thing(first), thing({ key, more: true }));
  assert.equal(thing({ key }).of, first);
  assert.notEqual(thing({ key: {} }), thing(first));
});
