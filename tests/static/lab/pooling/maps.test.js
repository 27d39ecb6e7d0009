import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changeOf,
  inkChange,
  kept,
  mostChanged,
  movedImage,
} from "../../../../static/js/lab/pooling/maps.js";
import { grey } from "../../fixtures.js";

const values = (...data) => ({ size: 1, data: Float32Array.from(data) });

test("values by hand", () => {
  const found = changeOf(values(1, 2, 0, 0, 4, 0), values(1, 1.9, 0, 0.5, 0, 0));
  assert.equal(found.units, 6);
  assert.equal(found.active, 4);
  assert.equal(found.near, 1);
  assert.equal(found.rough, 2); // 1.9 of 2 is 5 % less
  assert.ok(Math.abs(found.share - (0 + 0.1 + 0.5 + 4) / 7) < 1e-7);
  assert.equal(found.winners, null);
});

test("poses change as vectors: a turn by a right angle is √2 of their length", () => {
  const poses = (...data) => ({ size: 2, data: Float32Array.from(data) });
  const found = changeOf(poses(3, 0, 0, 0, 0, 4), poses(0, 3, 0, 0, 0, 4));
  assert.deepEqual(
    { units: found.units, active: found.active, near: found.near, rough: found.rough },
    { units: 3, active: 2, near: 1, rough: 1 },
  );
  assert.ok(Math.abs(found.share - (3 * Math.SQRT2) / 7) < 1e-7);
});

test("one number to a unit, or all numbers one unit: the same where one changes alone", () => {
  const [before, after] = [values(3, 0, 0), values(0, 0, 0)];
  assert.equal(changeOf(before, after).share, 1);
  const whole = (layer) => ({ ...layer, size: 3 });
  assert.equal(changeOf(whole(before), whole(after)).share, 1);
});

test("winners count only where there is one both times", () => {
  const won = (data, winners) => ({
    ...values(...data),
    winners: Float32Array.from(winners),
  });
  const found = changeOf(
    won([1, 1, 0, 2], [0, 1, 0, 3]),
    won([1, 2, 1, 0], [0, 2, 3, 0]),
  );
  assert.deepEqual(found.winners, { contested: 2, rewon: 1 });
});

test("nothing before is no share; the ends of 1 % and 10 %", () => {
  assert.ok(Number.isNaN(changeOf(values(0, 0), values(0, 0)).share));
  const found = changeOf(values(100, 100, 100, 100), values(99, 98.9, 90, 89.9));
  assert.deepEqual([found.near, found.rough], [1, 3]);
});

test("ink", () => {
  assert.equal(inkChange([1, 0, 0.5], [0, 1, 0.5]), 2 / 1.5);
  assert.ok(Number.isNaN(inkChange([0], [0])));
});

const bytes = Array.from({ length: 784 }, (_, i) => {
  const [row, column] = [Math.floor(i / 28), i % 28];
  const isStem = column === 6 && row > 4 && row < 16;
  const isOther = column === 20 && row > 4 && row < 16;
  return isStem || isOther ? 200 : 0;
});
const pixels = grey(bytes);

test("the whole digit moves as its pixels do", () => {
  const { pixels: found, cut, made } = movedImage(pixels, "digit", 3, -1, 2);
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

test("at most two pixels each way", () => {
  assert.deepEqual(kept({ down: -9, right: 1 }), { down: -2, right: 1 });
  assert.deepEqual(kept({ down: 3, right: 0 }), { down: 2, right: 0 });
});

test("the part that changes most; else the strongest", () => {
  const most = (before, after, parts) =>
    mostChanged(Float32Array.from(before), Float32Array.from(after), parts);
  assert.equal(most([5, 5, 1, 1], [5, 5.5, 1, 3], 2), 1);
  assert.equal(most([5, 5, 1, 1], [5, 5.5, 1, 3], 4), 3);
  assert.equal(most([5, 5, 1, 1], [5, 5, 1, 1], 2), 0);
  assert.equal(most([1, 0, 0, 3], [1, 0, 0, 3], 2), 1);
});
