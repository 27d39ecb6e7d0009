import assert from "node:assert/strict";
import { test } from "node:test";
import { measureOutlier, wilsonInterval } from "../../../static/js/lib/statistics.js";

test("an interval of a share is Wilson's", () => {
  // By hand: 39 of 10 000 with z = 1.96.
  const [low, high] = wilsonInterval(39, 10_000);
  assert.ok(Math.abs(low - 0.002855) < 5e-6, `${low}`);
  assert.ok(Math.abs(high - 0.005326) < 5e-6, `${high}`);
});

test("an interval stays within 0 and 1 and around the share", () => {
  for (const trials of [1, 7, 500]) {
    for (let hits = 0; hits <= trials; hits++) {
      const [low, high] = wilsonInterval(hits, trials);
      assert.ok(low >= 0 && high <= 1);
      assert.ok(low <= hits / trials + 1e-12 && hits / trials <= high + 1e-12);
    }
  }
});

// Worked by hand.
const ANSWER = {
  ink: [1, 1, 0, 0],
  reconstruction: [0.5, 1, 0.5, 0],
  scores: [0.2, 0.9, 0.6],
};
const MEASURED = {
  error: 0.125, // (0.25 + 0 + 0.25 + 0) / 4
  relative: 0.25, // 0.5 / 2
  angle: 0.1339746, // 1 - 1.5 / sqrt(2 · 1.5)
  score: 0.1,
  gap: 0.7,
};

for (const [name, value] of Object.entries(MEASURED)) {
  test(`${name} is what it says`, () => {
    assert.ok(Math.abs(measureOutlier(name, ANSWER) - value) < 1e-6);
  });
}
