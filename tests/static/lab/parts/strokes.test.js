import assert from "node:assert/strict";
import { test } from "node:test";
import { NONE } from "../../../../static/js/lab/parts/cut.js";
import { cutStrokes, inEqualParts } from "../../../../static/js/lab/parts/strokes.js";
import { random } from "../../../../static/js/lib/chance.js";
import { square } from "../../fixtures.js";
import { drawn } from "./making.js";

/** @param {import("../../../../static/js/lab/parts/cut.js").Cut} cut */
const picture = ({ owners, rows, columns }) =>
  Array.from({ length: rows }, (_, row) =>
    [...owners.slice(row * columns, (row + 1) * columns)]
      .map((owner) => (owner === NONE ? "." : String(owner)))
      .join(""),
  );

const T = `
  ................
  .3333333333333..
  .#############..
  .3333333333333..
  .......#........
  .......#........
  .......#........
  .......#........
  .......#........
  .......#........
  .......#........`;

test("a T has three pieces: two arms and the stem; grey edges go with their arm", () => {
  const { ink, side } = drawn(T);
  const cut = cutStrokes(ink, square(side));
  assert.equal(cut.pieces.length, 3);
  const rows = picture(cut);
  const [left, right] = [rows[2][1], rows[2][13]];
  const stem = rows[10][7];
  assert.equal(new Set([left, right, stem]).size, 3);
  for (const row of [1, 3]) {
    assert.equal(rows[row][2], left);
    assert.equal(rows[row][12], right);
  }
});

test("a long line without a junction is cut into equal parts", () => {
  const { ink, side } = drawn(`
    ............
    .##########.`);
  const rows = picture(cutStrokes(ink, square(side)));
  assert.equal(rows[1], ".0000011111.");
});

test("a ring is cut too, and each part hangs together", () => {
  const { ink, side } = drawn(`
    ............
    ...######...
    ..#......#..
    .#........#.
    .#........#.
    .#........#.
    .#........#.
    .#........#.
    .#........#.
    ..#......#..
    ...######...`);
  const cut = cutStrokes(ink, square(side));
  assert.ok(cut.pieces.length >= 4);
  for (const { box } of cut.pieces) assert.ok(box.height < 11 || box.width < 11);
});

test("separate strokes are separate pieces; a speck goes with the nearest", () => {
  const { ink, side } = drawn(`
    .#......#.
    .#......#.
    .#......#.
    .#......#.
    .#......#.
    ..........
    .........2`);
  const rows = picture(cutStrokes(ink, square(side)));
  assert.equal(rows[0], ".0......1.");
  assert.equal(rows[6], ".........1");
});

test("every pixel of ink belongs to a piece, no other does, and pieces are large enough", () => {
  const next = random(11);
  for (let turn = 0; turn < 30; turn++) {
    const side = 8 + (turn % 3) * 6;
    const ink = Float64Array.from({ length: side ** 2 }, () => {
      const value = next();
      return value < 0.6 ? 0 : value;
    });
    const { owners, pieces } = cutStrokes(ink, square(side));
    owners.forEach((owner, i) => {
      assert.equal(owner === NONE, ink[i] === 0);
      assert.ok(owner === NONE || owner < pieces.length);
    });
    assert.ok(pieces.length <= 16);
    const all = ink.reduce((sum, value) => sum + value, 0);
    pieces.forEach((_, piece) => {
      const share = ink.reduce(
        (sum, value, i) => sum + (owners[i] === piece ? value : 0),
        0,
      );
      assert.ok(pieces.length === 1 || share >= 0.06 * all);
    });
  }
});

test("nothing, and one pixel", () => {
  assert.equal(cutStrokes(new Float64Array(9), square(3)).pieces.length, 0);
  const { owners, pieces } = cutStrokes([0, 0, 0, 0, 0.2, 0, 0, 0, 0], square(3));
  assert.equal(pieces.length, 1);
  assert.equal(owners[4], 0);
});

test("equal parts by hand", () => {
  assert.deepEqual(inEqualParts([1, 2, 3, 4, 5], 3), [
    [1, 2, 3],
    [4, 5],
  ]);
  assert.deepEqual(inEqualParts([1, 2, 3], 3), [[1, 2, 3]]);
});
