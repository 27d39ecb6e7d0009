import assert from "node:assert/strict";
import { test } from "node:test";
import { diverging, sequential } from "../../../static/js/lib/color.js";
import { beyondWords } from "../../../static/js/ui/pictures.js";

test("a legend says how far values go beyond its scale, whatever their sign", () => {
  const all = [
    [0.1, -0.244],
    [0.2, 0],
  ];
  assert.equal(
    beyondWords(diverging(0.141), all, "differences"),
    ", differences up to ±0.244",
  );
  assert.equal(beyondWords(diverging(0.244), all, "values"), "");
  assert.equal(beyondWords(sequential(0, 1), all, "values"), "");
});
