import assert from "node:assert/strict";
import { test } from "node:test";
import {
  SHUFFLES,
  TILES,
  tileSweep,
  winnersOver,
} from "../../../../static/js/lab/parts/curve.js";
import { grey } from "../../fixtures.js";

test("the whole image, then so many shuffles of each number of tiles, all different", () => {
  const pixels = grey(Array.from({ length: 784 }, (_, i) => i % 251));
  const images = tileSweep(pixels);
  assert.equal(images.length, 1 + SHUFFLES * (TILES.length - 1));
  assert.deepEqual(
    images[0],
    Float64Array.from(pixels.bytes, (byte) => byte / 255),
  );
  const texts = new Set(images.map((image) => image.join()));
  assert.ok(texts.size > images.length - SHUFFLES); // of nine orders of 2×2, some recur
  for (const image of images)
    assert.deepEqual([...image].sort(), [...images[0]].sort());
});

test("means of the highest score by hand", () => {
  const scores = [[0.9, 0.1]];
  for (const level of [0.1, 0.2, 0.3])
    for (let i = 0; i < SHUFFLES; i++)
      scores.push(i % 2 === 0 ? [level, 0] : [0.05, level + 0.2]);
  const found = winnersOver({
    shape: [scores.length, 2],
    data: Float64Array.from(scores.flat()),
  });
  [0.9, 0.2, 0.3, 0.4].forEach((mean, i) => {
    assert.ok(Math.abs(found[i] - mean) < 1e-12);
  });
});
