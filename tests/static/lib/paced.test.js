import assert from "node:assert/strict";
import { test } from "node:test";
import { paced } from "../../../static/js/lib/paced.js";

function pacing(t, gap_ms = 30) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  const done = [];
  const state = { isBusy: false };
  const pace = paced((wish) => done.push(wish), {
    isBusy: () => state.isBusy,
    gap_ms,
  });
  const pass = (milliseconds) => {
    now += milliseconds;
    t.mock.timers.tick(milliseconds);
  };
  return { pace, done, state, pass };
}

test("with nothing under way, everything is done at once", (t) => {
  const { pace, done } = pacing(t);
  for (const wish of [1, 2, 3]) pace.ask(wish);
  assert.deepEqual(done, [1, 2, 3]);
});

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

test("one that is done at once takes the place of one that waits", (t) => {
  const { pace, done, state, pass } = pacing(t);
  state.isBusy = true;
  pace.ask(1);
  pace.ask(2);
  state.isBusy = false;
  pace.ask(3);
  pass(100);
  assert.deepEqual(done, [1, 3]);
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
