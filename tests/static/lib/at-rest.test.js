import assert from "node:assert/strict";
import { test } from "node:test";

import { atRest, jobsAtRest } from "../../../static/js/lib/at-rest.js";

test("a job runs once, when it has not been asked for during the quiet time", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let runs = 0;
  const ask = atRest(() => runs++, 150);
  ask();
  t.mock.timers.tick(100);
  ask();
  t.mock.timers.tick(149);
  assert.equal(runs, 0);
  t.mock.timers.tick(1);
  assert.equal(runs, 1);
  t.mock.timers.tick(1000);
  assert.equal(runs, 1);
});

/** Jobs at rest, on a page that is idle when the test says so. */
function jobsOnPage(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const idle = [];
  const done = [];
  const jobs = jobsAtRest({ quiet_ms: 250, whenIdle: (job) => idle.push(job) });
  const beIdle = () => idle.shift()?.();
  return { ...jobs, beIdle, done, rest: () => t.mock.timers.tick(250) };
}

test("jobs wait for rest and are then done one whenever the page is idle", (t) => {
  const { add, beIdle, done, rest } = jobsOnPage(t);
  const first = () => done.push("first");
  add(first);
  add(() => done.push("second"));
  add(first);
  beIdle();
  assert.deepEqual(done, []);
  rest();
  beIdle();
  assert.deepEqual(done, ["first"]);
  beIdle();
  beIdle();
  assert.deepEqual(done, ["first", "second"]);
});

test("what a job asks for is done, too, and a job that fails does not stop the others", (t) => {
  const { add, beIdle, done, rest } = jobsOnPage(t);
  add(() => {
    add(() => done.push("asked for"));
    throw new Error("a picture that cannot be drawn");
  });
  add(() => done.push("other"));
  rest();
  assert.throws(beIdle);
  beIdle();
  rest();
  beIdle();
  assert.deepEqual(done, ["other", "asked for"]);
});

test("before the page is printed all jobs are done at once, and only once", (t) => {
  const { add, beIdle, doAll, done, rest } = jobsOnPage(t);
  add(() => add(() => done.push("asked for")));
  add(() => done.push("other"));
  doAll();
  assert.deepEqual(done, ["other", "asked for"]);
  rest();
  beIdle();
  assert.deepEqual(done, ["other", "asked for"]);
});
