import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assemble as assembledFrom,
  decodeMoves,
  encodeMoves,
  movedBy,
  STAY,
} from "../../../../static/js/lab/parts/arrangement.js";
import { cutTiles } from "../../../../static/js/lab/parts/cut.js";
import { shuffle } from "../../../../static/js/lab/parts/presets.js";
import { cutStrokes } from "../../../../static/js/lab/parts/strokes.js";
import { random } from "../../../../static/js/lib/chance.js";
import { square } from "../../fixtures.js";
import { total, unmoved } from "./making.js";

const assembled = (ink, cut, moves) =>
  assembledFrom(Float64Array.from(ink), cut, moves);

/** @param {number} side @param {number} seed */
function noise(side, seed) {
  const next = random(seed);
  return Float64Array.from({ length: side ** 2 }, () => Math.max(0, next() - 0.4));
}

test("unmoved pieces are the image, to the bit", () => {
  for (const side of [7, 28])
    for (const across of [2, 3, 4]) {
      const ink = noise(side, side);
      const cut = cutTiles(square(side), across);
      assert.deepEqual(assembled(ink, cut, unmoved(cut)).ink, ink);
      const strokes = cutStrokes(ink, square(side));
      assert.deepEqual(assembled(ink, strokes, unmoved(strokes)).ink, ink);
    }
});

test("a quarter turn of a tile by hand, counter-clockwise", () => {
  const ink = [1, 0.8, 0, 0, 0.6, 0.4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const cut = cutTiles(square(4), 2);
  const moves = unmoved(cut);
  moves[0] = { down: 0, right: 0, turn: 90 };
  assert.deepEqual(
    [...assembled(ink, cut, moves).ink.slice(0, 6)],
    [0.8, 0.4, 0, 0, 1, 0.6],
  );
});

test("a turn between interpolates: the slow way, pixel by pixel", () => {
  const side = 9;
  const ink = noise(side, 4);
  const cut = cutTiles(square(side), 1);
  const angle = (30 * Math.PI) / 180;
  const turned = assembled(ink, cut, [{ down: 1, right: -2, turn: 30 }]).ink;
  const at = (y, x) =>
    y >= 0 && y < side && x >= 0 && x < side ? ink[y * side + x] : 0;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      // Turned back by 30 degrees about (4.5, 4.5), from where it was moved to.
      const [dy, dx] = [y + 0.5 - 5.5, x + 0.5 - 2.5];
      const row = dx * Math.sin(angle) + dy * Math.cos(angle) + 4;
      const column = dx * Math.cos(angle) - dy * Math.sin(angle) + 4;
      let sum = 0;
      for (let r = -1; r <= side; r++)
        for (let c = -1; c <= side; c++)
          sum +=
            at(r, c) *
            Math.max(0, 1 - Math.abs(r - row)) *
            Math.max(0, 1 - Math.abs(c - column));
      assert.ok(Math.abs(turned[y * side + x] - sum) < 1e-12);
    }
});

test("pieces on each other add up, to full ink", () => {
  const ink = [0.7, 0.6, 0, 0];
  const cut = cutTiles(square(2), 2);
  const moves = [STAY, { down: 0, right: -1, turn: 0 }, STAY, STAY];
  const { ink: values, beyond, covered } = assembled(ink, cut, moves);
  assert.deepEqual([...values], [1, 0, 0, 0]);
  assert.equal(beyond, 0);
  assert.ok(Math.abs(covered - 0.3 / 1.3) < 1e-12);
});

test("ink outside is lost, and counted", () => {
  const ink = [0.5, 0, 0, 0.5];
  const cut = cutTiles(square(2), 2);
  const moves = [{ down: -1, right: 0, turn: 0 }, STAY, STAY, STAY];
  assert.deepEqual(assembled(ink, cut, moves), {
    ink: Float64Array.of(0, 0, 0, 0.5),
    hasInk: true,
    beyond: 0.5,
    covered: 0,
  });
});

test("shuffled tiles keep all ink and can be put back", () => {
  const ink = noise(28, 8);
  for (const across of [2, 3, 4]) {
    const cut = cutTiles(square(28), across);
    const moves = shuffle(cut, 5);
    const { ink: values, beyond, covered } = assembled(ink, cut, moves);
    assert.ok(Math.abs(total(values) - total(ink)) < 1e-9);
    assert.ok(beyond < 1e-12 && covered < 1e-12);
    const sorted = (values) => [...values].sort();
    assert.deepEqual(sorted(values), sorted(ink)); // the same pixels elsewhere
    assert.deepEqual(assembled(ink, cut, unmoved(cut)).ink, ink);
  }
});

test("the turning point stays inside the image, and turns stay below 360", () => {
  const cut = cutTiles(square(4), 2); // tile 0 turns about (1, 1)
  const far = { down: 9, right: -9, turn: 345 };
  assert.deepEqual(movedBy(cut, 0, STAY, far), { down: 2, right: -1, turn: 345 });
  assert.equal(movedBy(cut, 0, { ...STAY, turn: 345 }, { turn: 30 }).turn, 15);
  assert.equal(movedBy(cut, 0, STAY, { turn: -15 }).turn, 345);
  const odd = cutTiles(square(3), 3); // tile 8 turns about (2.5, 2.5)
  assert.deepEqual(movedBy(odd, 8, STAY, { down: 9, right: -9 }), {
    down: 0,
    right: -2,
    turn: 0,
  });
});

test("moves as characters by hand", () => {
  const moves = [STAY, { down: 0, right: -1, turn: 30 }, STAY];
  assert.equal(encodeMoves(moves, square(28)), ".gfC");
  assert.deepEqual(decodeMoves(".gfC", square(28)), moves.slice(0, 2));
  assert.equal(encodeMoves([STAY, STAY], square(28)), "");
  assert.deepEqual(decodeMoves("", square(28)), []);
});

for (const side of [28, 32, 96])
  test(`any arrangement of ${side} pixels comes back, from what a link may hold`, () => {
    for (let down = 1 - side; down < side; down += 3) {
      const moves = Array.from({ length: 16 }, (_, i) => ({
        down,
        right: ((i * 37) % (2 * side - 1)) + 1 - side,
        turn: ((i * 45 + 15) % 24) * 15,
      }));
      const text = encodeMoves(moves, square(side));
      assert.ok(text.length <= 16 * (side > 32 ? 5 : 3));
      assert.equal(new URLSearchParams({ text }).toString(), `text=${text}`);
      assert.deepEqual(decodeMoves(text, square(side)), moves);
    }
  });

for (const text of [
  "A",
  "gg",
  "gg!",
  "gg-",
  "AAA",
  "gAA",
  "g".repeat(60),
  ".".repeat(17),
])
  test(`“${text.slice(0, 9)}” of ${text.length} says no arrangement`, () => {
    assert.equal(decodeMoves(text, square(28)), null);
  });
