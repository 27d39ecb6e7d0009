import assert from "node:assert/strict";
import { test } from "node:test";
import { around } from "../../../../static/js/page/saving/figure.js";

test("a box around several is as small as can be", () => {
  const boxes = [
    { x: 10, y: 20, width: 30, height: 5 },
    { x: 0, y: 22, width: 5, height: 50 },
  ];
  assert.deepEqual(around(boxes), { x: 0, y: 20, width: 40, height: 52 });
});
