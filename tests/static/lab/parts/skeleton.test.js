import assert from "node:assert/strict";
import { test } from "node:test";
import { pixelsAround, thin } from "../../../../static/js/lab/parts/skeleton.js";
import { random } from "../../../../static/js/lib/chance.js";
import { square } from "../../fixtures.js";
import { drawing, drawn } from "./making.js";

test("a thick bar becomes its middle line", () => {
  const { ink, side } = drawn(`
    .......
    .#####.
    .#####.
    .#####.`);
  const rows = drawing(thin(Uint8Array.from(ink), square(side)), side);
  assert.equal(rows[1], ".......");
  assert.match(rows[2], /^\.\.?#{2,5}\.?\.$/);
  assert.equal(rows[3], ".......");
});

test("a line of one pixel stays", () => {
  const { ink, side } = drawn(`
    #......
    .#.....
    ..#....
    ..#....
    ..#....
    ..#####`);
  const skeleton = thin(Uint8Array.from(ink), square(side));
  assert.deepEqual(drawing(skeleton, side), [
    "#......",
    ".#.....",
    "..#....",
    "..#....",
    "..#....",
    "...####", // the corner is cut
    ".......",
  ]);
});

/** How many pieces the set pixels make, by eight neighbours, and holes, by four. */
function topology(mask, side) {
  const pieces = count(mask, side, [0, 1, 2, 3, 4, 5, 6, 7]);
  const around = side + 2; // so that all ground at the edge is one
  const ground = new Uint8Array(around ** 2).fill(1);
  mask.forEach((value, i) => {
    ground[(Math.floor(i / side) + 1) * around + (i % side) + 1] = Number(!value);
  });
  return [pieces, count(ground, around, [0, 2, 4, 6])];
}

function count(mask, side, ways) {
  const rest = Uint8Array.from(mask);
  let pieces = 0;
  rest.forEach((_, start) => {
    if (!rest[start]) return;
    pieces++;
    const waiting = [start];
    rest[start] = 0;
    while (waiting.length > 0) {
      const places = pixelsAround(square(side), waiting.pop());
      for (const to of ways.map((k) => places[k]))
        if (to !== null && rest[to]) {
          rest[to] = 0;
          waiting.push(to);
        }
    }
  });
  return pieces;
}

test("whatever the mask: its pieces and holes stay, and nothing can be peeled again", () => {
  const next = random(3);
  for (let turn = 0; turn < 60; turn++) {
    const side = 5 + (turn % 8);
    const mask = Uint8Array.from({ length: side ** 2 }, () => Number(next() < 0.6));
    const skeleton = thin(mask, square(side));
    assert.ok(skeleton.every((value, i) => value <= mask[i]));
    assert.deepEqual(topology(skeleton, side), topology(mask, side));
    assert.deepEqual(thin(skeleton, square(side)), skeleton);
  }
});
