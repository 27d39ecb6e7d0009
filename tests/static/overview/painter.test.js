import assert from "node:assert/strict";
import { test } from "node:test";

import { createHaste } from "../../../static/js/overview/painter.js";

function hastening(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  const rested = [];
  const haste = createHaste(() => rested.push(now));
  const pass = (milliseconds) => {
    now += milliseconds;
    t.mock.timers.tick(milliseconds);
  };
  return { haste, rested, pass };
}

test("two readings in a row are no haste, and slow ones never are", (t) => {
  const { haste, pass } = hastening(t);
  for (const gap of [100, 100, 700, 100, 700]) {
    assert.equal(haste.isHasty(), false);
    haste.tell();
    pass(gap);
  }
});

for (const [gap, rest] of [
  [40, 300],
  [400, 600],
])
  test(`readings ${gap} ms apart are in haste until ${rest} ms after the last`, (t) => {
    const { haste, rested, pass } = hastening(t);
    for (let reading = 0; reading < 6; reading++) {
      if (reading > 0) pass(gap);
      haste.tell();
    }
    pass(rest - 1);
    assert.equal(haste.isHasty(), true);
    assert.deepEqual(rested, []);
    pass(1);
    assert.equal(haste.isHasty(), false);
    assert.equal(rested.length, 1);
  });
