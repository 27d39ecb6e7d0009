import assert from "node:assert/strict";
import { test } from "node:test";

import { isolated } from "../../../static/js/lib/format.js";
import { shortened, widthOf } from "../../../static/js/overview/layout.js";

test("a long name is cut to its room, and stays isolated", () => {
  const long = "a name of a class that somebody has written in full";
  const cut = shortened(long, 160);
  assert.ok(cut.endsWith("…") && long.startsWith(cut.slice(0, -1)));
  assert.ok(widthOf(cut) <= 160);
  assert.equal(shortened("boot", 160), "boot");
  const hebrew = isolated("\u05E9".repeat(50));
  const shorter = shortened(hebrew, 160);
  assert.match(shorter, /^\u2068\u05E9+…\u2069$/);
  assert.ok(widthOf(shorter) <= 160);
});
