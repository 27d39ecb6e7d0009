import assert from "node:assert/strict";
import { test } from "node:test";

import { isolated } from "../../../static/js/lib/format.js";
import {
  offMiddle,
  ribbon,
  shortened,
  widthOf,
} from "../../../static/js/overview/layout.js";

test("a long name is cut in its middle to its room, and stays isolated", () => {
  const long = "a name of a class that somebody has written in full";
  const cut = shortened(long, 160);
  const [head, tail] = cut.split("…");
  assert.ok(head && tail && long.startsWith(head) && long.endsWith(tail));
  assert.ok(widthOf(cut) <= 160);
  assert.equal(shortened("boot", 160), "boot");
  const hebrew = isolated("\u05E9".repeat(50));
  const shorter = shortened(hebrew, 160);
  assert.match(shorter, /^\u2068\u05E9+…\u05E9+\u2069$/);
  assert.ok(widthOf(shorter) <= 160);
});

test("of two ribbons that cross, one is nearer at each place", () => {
  const [falling, rising] = [ribbon(0, 0, 100, 80, 20), ribbon(0, 80, 100, 0, 20)];
  const near = (x, y) => [falling, rising].map((d) => offMiddle(d, { x, y }));
  assert.deepEqual(near(0, 10).map(Math.round), [0, 80]);
  assert.deepEqual(near(100, 10).map(Math.round), [80, 0]);
  const [one, other] = near(50, 50);
  assert.ok(one < 0.01 && other < 0.01);
  const [low, high] = near(25, 30);
  assert.ok(low < high);
});
