import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { inFrame } from "../../../static/js/lib/frame.js";

/** What the browser was asked to call in its next frame. */
let asked = [];
const reported = [];
globalThis.requestAnimationFrame = (job) => asked.push(job);
globalThis.reportError = (error) => reported.push(error.message);

function nextFrame() {
  const jobs = asked;
  asked = [];
  for (const job of jobs) job();
}

beforeEach(() => {
  asked = [];
  reported.length = 0;
});

test("a job is done once a frame, however often it is asked for", () => {
  const done = [];
  const job = () => done.push("a");
  inFrame(job);
  inFrame(job);
  assert.deepEqual(done, []);
  assert.equal(asked.length, 1);
  nextFrame();
  assert.deepEqual(done, ["a"]);
  nextFrame();
  assert.deepEqual(done, ["a"]);
});

test("what a job asks for is done in the same frame", () => {
  const done = [];
  const last = () => done.push("last");
  const between = () => {
    done.push("between");
    inFrame(last);
  };
  inFrame(() => {
    done.push("first");
    inFrame(between);
  });
  nextFrame();
  assert.deepEqual(done, ["first", "between", "last"]);
  assert.equal(asked.length, 0);
});

test("a job that asks for itself is done again in the next frame", () => {
  let times = 0;
  const again = () => {
    times += 1;
    if (times < 3) inFrame(again);
  };
  inFrame(again);
  for (const expected of [1, 2, 3, 3]) {
    nextFrame();
    assert.equal(times, expected);
  }
});

test("a job that fails is reported, and the others are done", () => {
  const done = [];
  inFrame(() => {
    throw new Error("broken");
  });
  inFrame(() => done.push("other"));
  nextFrame();
  assert.deepEqual(done, ["other"]);
  assert.deepEqual(reported, ["broken"]);
  inFrame(() => done.push("later"));
  nextFrame();
  assert.deepEqual(done, ["other", "later"]);
});
