import assert from "node:assert/strict";
import { test } from "node:test";
import { around } from "../../../../static/js/page/saving/figure.js";
import {
  blended,
  colorsIn,
  layOutSheet,
} from "../../../../static/js/page/saving/sheet.js";

test("a box around several is as small as can be", () => {
  const boxes = [
    { x: 10, y: 20, width: 30, height: 5 },
    { x: 0, y: 22, width: 5, height: 50 },
  ];
  assert.deepEqual(around(boxes), { x: 0, y: 20, width: 40, height: 52 });
});

test("a gradient's colours come in their order, however they are written", () => {
  const gradient =
    "linear-gradient(to right, rgb(1, 2, 3), color(srgb 0.1 0.2 0.3), #fff)";
  assert.deepEqual(colorsIn(gradient), [
    "rgb(1, 2, 3)",
    "color(srgb 0.1 0.2 0.3)",
    "#fff",
  ]);
  assert.deepEqual(colorsIn("none"), []);
});

test("a ramp blends between its colours", () => {
  const colors = ["rgb(0, 0, 0)", "rgb(100, 200, 50)", "rgb(255, 255, 255)"];
  assert.equal(blended(colors, 0), "rgb(0 0 0)");
  assert.equal(blended(colors, 0.25), "rgb(50 100 25)");
  assert.equal(blended(colors, 1), "rgb(255 255 255)");
  assert.equal(blended([], 0.5), "#fff");
});

test("a sheet has room for title, legends and keys around its picture", () => {
  const box = { x: 300, y: 500, width: 1000, height: 400 };
  const plain = layOutSheet({ box, legends: [], keys: [] });
  assert.equal(plain.width, 1040);
  assert.equal(plain.left, 20);
  const legends = [{ unit: "", colors: [], ends: [] }];
  const more = layOutSheet({ box, legends, keys: [{ color: "", text: "a" }] });
  assert.ok(more.height > plain.height + 40);
  const small = layOutSheet({ box: { ...box, width: 60 }, legends: [], keys: [] });
  assert.equal(small.left - 20, (small.width - 40 - 60) / 2); // in the middle
});
