import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { whenIdle } from "../../../static/js/lib/idle.js";

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

test("an idle moment is taken when it comes, and the job is given nothing", () => {
  globalThis.requestIdleCallback = (callback) => callback({ didTimeout: false });
  const given = [];
  whenIdle((...args) => given.push(args));
  assert.deepEqual(given, [[]]);
});

test("a browser without idle moments does it later", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let runs = 0;
  whenIdle(() => runs++);
  assert.equal(runs, 0);
  t.mock.timers.tick(0);
  assert.equal(runs, 1);
});
