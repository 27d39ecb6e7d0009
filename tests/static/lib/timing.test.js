import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import {
  debounce,
  inFrame,
  jobsAtRest,
  latest,
  throttle,
  whenIdle,
} from "../../../static/js/lib/timing.js";
import { settled } from "../fixtures.js";

afterEach(() => {
  delete globalThis.requestIdleCallback;
});

test("a browser that is never idle does it all the same", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  // As browsers have it, on a machine that is busy with something else.
  globalThis.requestIdleCallback = (callback, { timeout } = {}) =>
    timeout && setTimeout(callback, timeout, { didTimeout: true });
  let runs = 0;
  whenIdle(() => runs++);
  t.mock.timers.tick(1000);
  assert.equal(runs, 1);
});

/** What the browser was asked to call in its next frame. */
let frame = [];
const reported = [];
globalThis.requestAnimationFrame = (job) => frame.push(job);
globalThis.reportError = (error) => reported.push(error.message);

function nextFrame() {
  const jobs = frame;
  frame = [];
  for (const job of jobs) job();
}

beforeEach(() => {
  frame = [];
  reported.length = 0;
});

test("a job is done once a frame, however often it is asked for", () => {
  const done = [];
  const job = () => done.push("a");
  inFrame(job);
  inFrame(job);
  assert.deepEqual(done, []);
  assert.equal(frame.length, 1);
  nextFrame();
  assert.deepEqual(done, ["a"]);
  nextFrame();
  assert.deepEqual(done, ["a"]);
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

test("a job runs once, when it has not been asked for during the quiet time", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let runs = 0;
  const ask = debounce(() => runs++, 150);
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

function pacing(t, gap_ms = 30) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  const done = [];
  const state = { isBusy: false };
  const pace = throttle((wish) => done.push(wish), {
    isBusy: () => state.isBusy,
    gap_ms,
  });
  const pass = (milliseconds) => {
    now += milliseconds;
    t.mock.timers.tick(milliseconds);
  };
  return { pace, done, state, pass };
}

test("else the first at once, then the newest after a gap each", (t) => {
  const { pace, done, state, pass } = pacing(t);
  state.isBusy = true;
  for (const wish of [1, 2, 3]) pace.ask(wish);
  assert.deepEqual(done, [1]);
  pass(29);
  assert.deepEqual(done, [1]);
  pass(1);
  assert.deepEqual(done, [1, 3]);
  pass(10);
  pace.ask(4);
  pass(19);
  assert.deepEqual(done, [1, 3]);
  pass(1);
  assert.deepEqual(done, [1, 3, 4]);
  pass(30);
  pace.ask(5);
  assert.deepEqual(done, [1, 3, 4, 5]); // it waited long enough
});

test("what waits can be forgotten", (t) => {
  const { pace, done, state, pass } = pacing(t);
  state.isBusy = true;
  pace.ask(1);
  pace.ask(2);
  pace.forget();
  pass(100);
  assert.deepEqual(done, [1]);
});

/** A job that a test finishes by hand. */
function handMade() {
  const started = [];
  let finish;
  let fail;
  const wish = latest((what) => {
    started.push(what);
    return new Promise((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
  });
  return {
    wish,
    started,
    finish: () => {
      finish();
      return settled();
    },
    fail: (error) => {
      fail(error);
      return settled();
    },
  };
}

/** What nobody caught while `act` went on. */
async function unhandledIn(act) {
  const errors = [];
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", (error) => errors.push(error.message));
  await act();
  await settled();
  process.removeAllListeners("unhandledRejection");
  for (const other of others) process.on("unhandledRejection", other);
  return errors;
}

for (const how of ["ends", "fails"])
  test(`of the wishes made while a job runs only the last one runs, after it ${how}`, async () => {
    const { wish, started, finish, fail } = handMade();
    const unhandled = await unhandledIn(async () => {
      for (const what of ["a", "b", "c", "d"]) wish(what);
      await settled();
      assert.deepEqual(started, ["a"]);
      await (how === "ends" ? finish() : fail(new Error("broken")));
    });
    assert.deepEqual(unhandled, how === "ends" ? [] : ["broken"]);
    assert.deepEqual(started, ["a", "d"]);
    wish("e");
    assert.deepEqual(started, ["a", "d"]);
    await finish();
    await finish();
    assert.deepEqual(started, ["a", "d", "e"]);
    wish("f");
    assert.deepEqual(started, ["a", "d", "e", "f"]);
  });

test("once answered, a job shows while the next one runs", async () => {
  const happened = [];
  const wish = latest(async (what, answered) => {
    happened.push(`asks ${what}`);
    await settled();
    answered();
    happened.push(`shows ${what}`);
  });
  wish("a");
  wish("b");
  await settled();
  await settled();
  assert.deepEqual(happened.slice(0, 3), ["asks a", "asks b", "shows a"]);
  await settled();
  assert.deepEqual(happened.slice(3), ["shows b"]);
});

test("a job that fails once it is answered lets the next one run just once", async () => {
  const happened = [];
  const unhandled = await unhandledIn(async () => {
    const wish = latest(async (what, answered) => {
      happened.push(what);
      if (what === "b") wish("c");
      await settled();
      happened.push(`${what} done`);
      answered();
      if (what === "a") throw new Error("broken");
    });
    wish("a");
    wish("b");
    for (let turn = 0; turn < 3; turn++) await settled();
  });
  assert.deepEqual(unhandled, ["broken"]);
  assert.deepEqual(happened, ["a", "a done", "b", "b done", "c", "c done"]);
});
