import assert from "node:assert/strict";
import { test } from "node:test";
import { cutBy, cutTiles, NONE } from "../../../../static/js/lab/parts/cut.js";
import { square } from "../../fixtures.js";

test("tiles are equal and read row by row", () => {
  const { owners, pieces } = cutTiles(square(4), 2);
  assert.deepEqual([...owners], [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3]);
  assert.deepEqual(pieces[2], {
    box: { top: 2, left: 0, height: 2, width: 2 },
    row: 3,
    column: 1,
  });
});

for (const [side, across, size, first] of [
  [28, 2, 14, 0],
  [28, 3, 9, 0],
  [28, 4, 7, 0],
  [32, 3, 10, 1],
  [7, 3, 2, 0],
  [20, 4, 5, 0],
])
  test(`${side} pixels in ${across} tiles: ${size} each, as the measurement cuts`, () => {
    const { owners, pieces } = cutTiles(square(side), across);
    assert.equal(pieces.length, across ** 2);
    assert.deepEqual(pieces[0].box, {
      top: first,
      left: first,
      height: size,
      width: size,
    });
    pieces.forEach((_, tile) => {
      assert.equal(owners.filter((owner) => owner === tile).length, size ** 2);
    });
    const rest = owners.filter((owner) => owner === NONE).length;
    assert.equal(rest, side ** 2 - (across * size) ** 2);
  });

test("a piece turns about the pixel nearest to its ink's centre", () => {
  const ink = [0, 0, 0, 0, 1, 1, 0, 0.5, 0];
  const owners = Uint8Array.from(ink, (value) => (value > 0 ? 0 : NONE));
  const { pieces } = cutBy(ink, square(3), owners);
  // Rows (1 + 1 + 2 · 0.5) / 2.5 = 1.2; columns (1 + 2 + 0.5) / 2.5 = 1.4.
  assert.deepEqual(pieces, [
    { box: { top: 1, left: 1, height: 2, width: 2 }, row: 1.5, column: 1.5 },
  ]);
});
