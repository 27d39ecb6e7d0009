import assert from "node:assert/strict";
import { test } from "node:test";
import { colorOf, outlineOf } from "../../../static/js/atlas/map.js";

test("marks of seventy classes differ, by colour or by shape", () => {
  const labels = Array.from({ length: 70 }, (_, label) => label);
  const marks = labels.map((label) => `${colorOf(label)} ${outlineOf(label)}`);
  assert.equal(new Set(marks).size, 70);
  assert.equal(
    outlineOf(0),
    "polygon(80.9% 19.1%, 19.1% 19.1%, 19.1% 80.9%, 80.9% 80.9%)",
  );
});
