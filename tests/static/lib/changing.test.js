import assert from "node:assert/strict";
import { test } from "node:test";
import { changedInk } from "../../../static/js/lib/changing.js";
import { closeTo, grey } from "../fixtures.js";

const SIDE = 4;
// biome-ignore format: an image
const INK = [
  0, 0.2, 0, 0,
  0, 1, 0.5, 0,
  0.1, 0, 0, 0.4,
  0, 0, 0.3, 0,
];
const changed = (change, ink = INK) =>
  Array.from(changedInk(Float64Array.from(ink), grey(ink), change));
const near = closeTo(1e-12);

test("whole pixels move as they are, right and down, and nothing comes in", () => {
  // biome-ignore format: an image
  assert.deepEqual(changed({ shift: [1, -1] }), [
    0, 0, 1, 0.5,
    0, 0.1, 0, 0,
    0, 0, 0, 0.3,
    0, 0, 0, 0,
  ]);
});

test("a quarter turn is exact and counter-clockwise, four of them nothing", () => {
  const quarter = changed({ rotate: 90 });
  assert.deepEqual(quarter.slice(0, SIDE), [0, 0, 0.4, 0]); // the right column, its top left
  assert.deepEqual(changed({ rotate: -270 }), quarter);
  let turned = INK;
  for (let i = 0; i < 4; i++) turned = changed({ rotate: 90 }, turned);
  assert.deepEqual(turned, INK);
});

test("a lean of 45° moves each row by its height above the centre", () => {
  const column = [0, 1, 0, 0, 1, 0, 0, 1, 0];
  near(changed({ shear: 45 }, column), [0, 0, 1, 0, 1, 0, 1, 0, 0]);
});

test("first scale, then lean, turn and shift", () => {
  const ink = Array(49).fill(0);
  ink[3 * 7 + 4] = 1; // one pixel right of the centre
  const shifted = changed({ scale: 2, rotate: 90, shift: [1, 0] }, ink);
  // Two right of it, then two above, then one to the right of that.
  assert.equal(shifted.indexOf(Math.max(...shifted)), 1 * 7 + 4);
});

test("strokes grow by the largest and shrink by the smallest in reach", () => {
  const dot = [0, 0, 0, 0, 1, 0, 0, 0, 0];
  assert.deepEqual(changed({ stroke: 1 }, dot), [0, 1, 0, 1, 1, 1, 0, 1, 0]);
  assert.deepEqual(
    changed({ stroke: 0.25 }, dot),
    [0, 0.25, 0, 0.25, 1, 0.25, 0, 0.25, 0],
  );
  assert.deepEqual(changed({ stroke: -1 }, Array(9).fill(1)), dot);
});

test("a blur keeps the ink far from the edges and is the same in every direction", () => {
  const dot = Array(15 * 15).fill(0);
  dot[7 * 15 + 7] = 1;
  const blurred = changed({ blur: 1 }, dot);
  const sum = blurred.reduce((all, value) => all + value);
  assert.ok(Math.abs(sum - 1) < 1e-12);
  assert.equal(blurred[7 * 15 + 5], blurred[5 * 15 + 7]);
  // Between neighbours exp(-1/2), as far as their distance says.
  near([blurred[7 * 15 + 8] / blurred[7 * 15 + 7]], [Math.exp(-0.5)]);
});

test("noise moves each pixel by less than its size, always by the same pattern", () => {
  const grey = Array(784).fill(0.5);
  const noise = changed({ noise: 0.2 }, grey).map((value) => value - 0.5);
  assert.ok(noise.every((by) => Math.abs(by) < 0.2));
  assert.ok(Math.max(...noise) > 0.19 && Math.min(...noise) < -0.19);
  assert.ok(Math.abs(noise.reduce((sum, by) => sum + by) / 784) < 0.02);
  const half = changed({ noise: 0.1 }, grey).map((value) => value - 0.5);
  near(
    half.map((by) => 2 * by),
    noise,
  );
});
