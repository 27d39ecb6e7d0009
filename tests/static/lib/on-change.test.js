import assert from "node:assert/strict";
import { test } from "node:test";

import { onChange } from "../../../static/js/lib/on-change.js";

test("the job is done the first time, and again when a cause is another", () => {
  const done = [];
  const job = onChange((...causes) => done.push(causes));
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
  const job = onChange((_cause) => times++);
  job({});
  job({});
  assert.equal(times, 2);
});

test("what the job returned last is answered until it is done again", () => {
  let times = 0;
  const job = onChange((cause) => `${cause} ${times++}`);
  assert.equal(job("a"), "a 0");
  assert.equal(job("a"), "a 0");
  assert.equal(job("b"), "b 1");
});

test("a job without causes is done once", () => {
  let times = 0;
  const job = onChange(() => times++);
  job();
  job();
  assert.equal(times, 1);
});
