import assert from "node:assert/strict";
import { test } from "node:test";
import {
  memoize,
  memoizeByIndex,
  memoizeByObject,
} from "../../../static/js/lib/memoize.js";

test("the job is done the first time, and again when a cause is another", () => {
  const done = [];
  const job = memoize((...causes) => done.push(causes));
  job("a", 1);
  job("a", 1);
  job("a", 2);
  job("a", 1);
  assert.deepEqual(done, [
    ["a", 1],
    ["a", 2],
    ["a", 1],
  ]);
});

test("causes are the same only when they are one object", () => {
  let times = 0;
  const job = memoize((_cause) => times++);
  job({});
  job({});
  assert.equal(times, 2);
});

test("what the job returned last is answered until it is done again", () => {
  let times = 0;
  const job = memoize((cause) => `${cause} ${times++}`);
  assert.equal(job("a"), "a 0");
  assert.equal(job("a"), "a 0");
  assert.equal(job("b"), "b 1");
});

test("a job without causes is done once", () => {
  let times = 0;
  const job = memoize(() => times++);
  job();
  job();
  assert.equal(times, 1);
});

test("a thing is computed when it is first asked for, and never again", () => {
  let times = 0;
  const thing = memoize(() => {
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
  const thing = memoizeByIndex((index) => {
    asked.push(index);
    return { index };
  });
  assert.equal(thing(2), thing(2));
  assert.deepEqual(thing(0), { index: 0 });
  assert.deepEqual(asked, [2, 0]);
});

test("what belongs to the same key is the same thing", () => {
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

test("the last thing is kept until something changes", () => {
  let times = 0;
  const sum = memoize((a, b) => {
    times++;
    return a + b;
  });
  assert.deepEqual([sum(1, 2), sum(1, 2), sum(1, 3), sum(1, 2)], [3, 3, 4, 3]);
  assert.equal(times, 3);
});
