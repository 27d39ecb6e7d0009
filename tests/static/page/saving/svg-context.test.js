import assert from "node:assert/strict";
import { test } from "node:test";
import { arcPath, fontOf } from "../../../../static/js/page/saving/svg-context.js";

test("a font is taken apart as a canvas understands it", () => {
  assert.deepEqual(fontOf("bold 12px 'DejaVu Sans', serif"), {
    "font-weight": "bold",
    size: 12,
    "font-family": "'DejaVu Sans', serif",
  });
  assert.equal(fontOf("10.5px mono")["font-weight"], "400");
});

test("a whole circle is two half ones, and no more than once around", () => {
  const circle = "M7 5A2 2 0 0 1 3 5A2 2 0 0 1 7 5";
  assert.equal(arcPath(5, 5, 2, 0, 2 * Math.PI), circle);
  assert.equal(arcPath(5, 5, 2, 0, 7), circle);
});

test("a quarter ends a quarter of the way round, clockwise", () => {
  assert.match(arcPath(0, 0, 10, 0, Math.PI / 2), /^M10 0A.* 0 10$/);
});
