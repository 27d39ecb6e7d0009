import assert from "node:assert/strict";
import { test } from "node:test";
import { mostChanged, movedImage } from "../../../../static/js/lab/pooling/maps.js";
import { grey } from "../../fixtures.js";

const bytes = Array.from({ length: 784 }, (_, i) => {
  const [row, column] = [Math.floor(i / 28), i % 28];
  const isStem = column === 6 && row > 4 && row < 16;
  const isOther = column === 20 && row > 4 && row < 16;
  return isStem || isOther ? 200 : 0;
});
const pixels = grey(bytes);

test("the whole image moves as its pixels do", () => {
  const { pixels: found, cut, made } = movedImage(pixels, "classIndex", 3, -1, 2);
  assert.equal(cut.pieces.length, 1);
  found.bytes.forEach((byte, i) => {
    const from = i + 28 - 2;
    const isInside = i % 28 >= 2 && from < 784;
    assert.equal(byte, isInside ? bytes[from] : 0);
  });
  assert.equal(made.beyond, 0);
});

test("a piece moves alone; the first where the chosen one is missing", () => {
  const { pixels: found, piece } = movedImage(pixels, "strokes", 15, 0, 1);
  assert.equal(piece, 0);
  assert.equal(found.bytes[10 * 28 + 7], 200);
  assert.equal(found.bytes[10 * 28 + 6], 0);
  assert.equal(found.bytes[10 * 28 + 20], 200);
});

test("the part that changes most; else the strongest", () => {
  const most = (before, after, parts) =>
    mostChanged(Float32Array.from(before), Float32Array.from(after), parts);
  assert.equal(most([5, 5, 1, 1], [5, 5.5, 1, 3], 2), 1);
  assert.equal(most([5, 5, 1, 1], [5, 5.5, 1, 3], 4), 3);
  assert.equal(most([5, 5, 1, 1], [5, 5, 1, 1], 2), 0);
  assert.equal(most([1, 0, 0, 3], [1, 0, 0, 3], 2), 1);
});
