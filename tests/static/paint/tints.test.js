import assert from "node:assert/strict";
import { test } from "node:test";
import { shadesOf, tintOf } from "../../../static/js/paint/tints.js";

const [BLUE, GREY, RED] = ["rgb(0, 0, 200)", "rgb(100, 100, 100)", "rgb(200, 0, 0)"];

test("the ends and the middle are the colours given", () => {
  const shades = shadesOf(BLUE, GREY, RED);
  assert.equal(tintOf(shades, -1), BLUE);
  assert.equal(tintOf(shades, 0), GREY);
  assert.equal(tintOf(shades, 1), RED);
});

test("between them colours are mixed in proportion", () => {
  const shades = shadesOf(BLUE, GREY, RED);
  assert.equal(tintOf(shades, 0.5), "rgb(150, 50, 50)");
  assert.equal(tintOf(shades, -0.25), "rgb(75, 75, 125)");
});
