import assert from "node:assert/strict";
import { test } from "node:test";
import { STAY } from "../../../../static/js/lab/parts/arrangement.js";
import {
  placeOnPlot,
  SHUFFLES,
  shuffleOf,
  TILES,
  tileSweep,
  winnersOver,
} from "../../../../static/js/lab/parts/curve.js";
import { cutTiles } from "../../../../static/js/lab/parts/cut.js";
import { exchangeHalves } from "../../../../static/js/lab/parts/presets.js";
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
  const means = winnersOver({
    shape: [scores.length, 2],
    data: Float64Array.from(scores.flat()),
  });
  [0.9, 0.2, 0.3, 0.4].forEach((mean, i) => {
    assert.ok(Math.abs(means[i] - mean) < 1e-12);
  });
});

test("the plot marks the whole image and its own shuffles, and nothing else", () => {
  for (const across of [2, 3, 4]) {
    const cut = cutTiles(grey(new Uint8Array(784)), across);
    const moves = shuffleOf(cut);
    assert.equal(placeOnPlot(cut, moves), across);
    const still = cut.pieces.map(() => STAY);
    assert.equal(placeOnPlot(cut, still), 1);
    assert.equal(placeOnPlot(cut, still.with(0, { ...STAY, turn: 15 })), null);
    if (across % 2 === 0)
      for (const way of ["down", "across"])
        assert.equal(placeOnPlot(cut, exchangeHalves(cut, way)), null, way);
  }
});
