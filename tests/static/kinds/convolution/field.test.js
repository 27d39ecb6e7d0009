import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldAt } from "../../../../static/js/geometry/windows.js";
import { middleAt, pixelNear } from "../../../../static/js/kinds/convolution/field.js";

const CONV1 = { size: 5, step: 1 };
const CONV2 = { size: 14, step: 2 }; // 8 pixels in a row of an input of 28
const square = (side) => ({ rows: side, columns: side });
const HERE = { row: 3, column: 3 };

test("a pixel sees a square, its step further on for each pixel", () => {
  assert.deepEqual(fieldAt(CONV1, { row: 7, column: 2 }), {
    row: 7,
    column: 2,
    size: 5,
  });
  assert.deepEqual(fieldAt(CONV2, { row: 7, column: 2 }), {
    row: 14,
    column: 4,
    size: 14,
  });
});

test("the middle of what a pixel sees may lie between two pixels", () => {
  assert.deepEqual(middleAt(CONV1, { row: 7, column: 2 }), { row: 9, column: 4 });
  assert.deepEqual(middleAt(CONV2, { row: 0, column: 7 }), { row: 6.5, column: 20.5 });
});

for (const [why, reach, map, [row, column], pixel] of [
  ["has it in the middle", CONV1, square(24), [9, 4], { row: 7, column: 2 }],
  // The middles are 6.5, 8.5, 10.5 …
  ["has it nearest to the middle", CONV2, square(8), [8, 9], { row: 1, column: 1 }],
  ["is the first or the last", CONV2, square(8), [0, 27], { row: 0, column: 7 }],
  ["ends a wide map", CONV1, { rows: 4, columns: 9 }, [20, 20], { row: 3, column: 8 }],
])
  test(`a pixel of the input belongs to the unit whose field ${why}`, () =>
    assert.deepEqual(pixelNear(reach, map, { row, column }, HERE), pixel));

test("a step on the input from the middle of a field is a step on the map", () => {
  for (const reach of [CONV1, CONV2]) {
    const { row, column } = middleAt(reach, HERE);
    for (const [down, right] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]) {
      const at = { row: row + down, column: column + right };
      const to = { row: HERE.row + down, column: HERE.column + right };
      assert.deepEqual(pixelNear(reach, square(8), at, HERE), to);
    }
  }
});
