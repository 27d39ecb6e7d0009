import assert from "node:assert/strict";
import { test } from "node:test";
import { assemble } from "../../../../static/js/lab/parts/arrangement.js";
import { cutTiles } from "../../../../static/js/lab/parts/cut.js";
import {
  CUTS,
  cutOf,
  derangement,
  exchangeHalves,
  movesIn,
  shuffle,
  turnAll,
} from "../../../../static/js/lab/parts/presets.js";
import { cutStrokes } from "../../../../static/js/lab/parts/strokes.js";
import { random } from "../../../../static/js/lib/chance.js";
import { grey, square } from "../../fixtures.js";
import { drawn, unmoved } from "./making.js";

const pixels = grey(Array.from({ length: 784 }, (_, i) => (i % 28 === 9 ? 255 : 0)));

for (const name of CUTS)
  test(`the cut ${name} of an image is the same while pieces move`, () => {
    assert.equal(cutOf(pixels, name), cutOf(pixels, name));
    assert.notEqual(cutOf(pixels, name), cutOf({ ...pixels }, name));
  });

test("what a link does not say, or says wrongly, stays", () => {
  const cut = cutOf(pixels, "2");
  const stays = { down: 0, right: 0, turn: 0 };
  assert.deepEqual(movesIn(cut, ".gfC"), [
    stays,
    { down: 0, right: -1, turn: 30 },
    stays,
    stays,
  ]);
  assert.deepEqual(movesIn(cut, "!"), [stays, stays, stays, stays]);
  assert.equal(movesIn(cut, ".........").length, 4);
});

test("nothing is where it was, everything is somewhere, and every such order comes up", () => {
  const next = random(1);
  const counts = new Map();
  for (let turn = 0; turn < 900; turn++) {
    const order = derangement(4, next);
    assert.ok(order.every((from, to) => from !== to));
    assert.deepEqual([...order].sort(), [0, 1, 2, 3]);
    counts.set(order.join(), (counts.get(order.join()) ?? 0) + 1);
  }
  assert.equal(counts.size, 9); // of four things
  for (const count of counts.values()) assert.ok(count > 60 && count < 140);
  assert.deepEqual(derangement(2, next), [1, 0]);
  assert.deepEqual(derangement(1, next), [0]);
  assert.deepEqual(derangement(0, next), []);
});

for (const across of [2, 4])
  test(`halves of ${across}×${across} tiles change places`, () => {
    const side = 8;
    const ink = Float64Array.from({ length: side ** 2 }, (_, i) => i / 64);
    const cut = cutTiles(square(side), across);
    for (const [way, from] of [
      ["down", (row, column) => [(row + 4) % 8, column]],
      ["across", (row, column) => [row, (column + 4) % 8]],
    ]) {
      const { ink: values } = assemble(ink, cut, exchangeHalves(cut, way));
      values.forEach((value, i) => {
        const [row, column] = from(Math.floor(i / side), i % side);
        assert.equal(value, ink[row * side + column]);
      });
    }
  });

test("pieces of strokes are misplaced, stay inside, and none stays", () => {
  const { ink, side } = drawn(`
    .............
    .###########.
    .......#.....
    .......#.....
    .......#.....
    .......#.....
    .......#.....
    .......#.....
    ..####.#.....`);
  const cut = cutStrokes(ink, square(side));
  assert.ok(cut.pieces.length >= 3);
  for (let seed = 0; seed < 20; seed++) {
    const moves = shuffle(cut, seed);
    for (const { down, right } of moves) assert.ok(down !== 0 || right !== 0);
    assert.ok(assemble(ink, cut, moves).beyond < 1e-12);
  }
});

test("one piece, or none, has nowhere to go", () => {
  const whole = cutTiles(square(4), 1);
  assert.deepEqual(shuffle(whole, 3), unmoved(whole));
  assert.deepEqual(
    shuffle({ ...square(2), owners: new Uint8Array(4), pieces: [] }, 3),
    [],
  );
});

test("all pieces turn further, and back", () => {
  const moves = [
    { down: 1, right: 2, turn: 0 },
    { down: 0, right: 0, turn: 270 },
  ];
  const turned = turnAll(moves, 90);
  assert.deepEqual(
    turned.map(({ turn }) => turn),
    [90, 0],
  );
  assert.deepEqual(turnAll(turned, -90), moves);
});
