import assert from "node:assert/strict";
import { test } from "node:test";
import { coverage } from "../../../static/js/page/layout.js";

const STRIP = { position: "sticky", height: 128, top: 0, bottom: Number.NaN };
const CONTROLS = { ...STRIP, height: 60, top: 128 };
const VERDICT = { ...STRIP, height: 45, top: Number.NaN, bottom: 0 };

test("bars below each other cover what the lowest reaches to", () => {
  assert.deepEqual(coverage([STRIP, CONTROLS]), { top: 188, bottom: 0 });
});

test("a bar at the bottom covers from there", () => {
  assert.deepEqual(coverage([VERDICT, STRIP]), { top: 128, bottom: 45 });
});

test("a bar that is hidden or does not stick covers nothing", () => {
  const hidden = { ...CONTROLS, height: 0 };
  const still = { ...CONTROLS, position: "static" };
  assert.deepEqual(coverage([STRIP, hidden, still]), { top: 128, bottom: 0 });
  assert.deepEqual(coverage([]), { top: 0, bottom: 0 });
});
