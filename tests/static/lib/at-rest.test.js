import assert from "node:assert/strict";
import { test } from "node:test";

import { atRest } from "../../../static/js/lib/at-rest.js";

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
