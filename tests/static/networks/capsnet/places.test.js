import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldAround } from "../../../../static/js/convolution/field.js";

import {
  capsulePlace,
  fieldOfCapsule,
  fieldOfPixel,
  sidesOf,
  startingPlaces,
  windowOfCapsule,
} from "../../../../static/js/networks/capsnet/places.js";
import { SIZES } from "../../fixtures.js";

/** Input rows that a capsule's row reaches through both convolutions, one by one. */
function rowsBehind(row) {
  const rows = new Set();
  for (let primary = 0; primary < SIZES.kernel_size; primary++) {
    const conv1Row = row * SIZES.primary_stride + primary;
    for (let conv1 = 0; conv1 < SIZES.kernel_size; conv1++) rows.add(conv1Row + conv1);
  }
  return [...rows].sort((a, b) => a - b);
}

test("a map is 20 x 20 and the grid of capsules 6 x 6", () => {
  assert.deepEqual(sidesOf(SIZES), { conv1: 20, primary: 6 });
});

test("a pixel of a map looked at the patch under the kernel", () => {
  assert.deepEqual(fieldOfPixel(SIZES, 19, 3), { row: 19, column: 3, size: 9 });
});

test("a capsule looked at 17 x 17 pixels, two further on for each step", () => {
  for (let row = 0; row < 6; row++) {
    for (let column = 0; column < 6; column++) {
      assert.deepEqual(fieldOfCapsule(SIZES, row, column), {
        row: 2 * row,
        column: 2 * column,
        size: 17,
      });
    }
  }
});

test("a capsule's field is what both convolutions reach, no more and no less", () => {
  for (let row = 0; row < 6; row++) {
    const field = fieldOfCapsule(SIZES, row, 0);
    assert.deepEqual(
      rowsBehind(row),
      Array.from({ length: field.size }, (_, i) => field.row + i),
    );
  }
});

test("the last fields end inside of the input", () => {
  const capsule = fieldOfCapsule(SIZES, 5, 5);
  const pixel = fieldOfPixel(SIZES, 19, 19);
  assert.equal(capsule.row + capsule.size, 27); // stride 2 leaves a pixel over
  assert.equal(pixel.column + pixel.size, 28);
});

test("every capsule has one place, and its number can be told from it", () => {
  for (let capsule = 0; capsule < 1152; capsule++) {
    const { type, row, column } = capsulePlace(SIZES, capsule);
    assert.equal((type * 6 + row) * 6 + column, capsule);
    assert.ok(type < 32 && row < 6 && column < 6);
  }
});

test("another network's grid counts by its own side", () => {
  const sizes = { ...SIZES, image_size: 32 };
  assert.deepEqual(sidesOf(sizes), { conv1: 24, primary: 8 });
  assert.deepEqual(capsulePlace(sizes, 64 + 8 + 3), { type: 1, row: 1, column: 3 });
});

test("what is first in focus is in the middle", () => {
  const start = startingPlaces(SIZES);
  assert.deepEqual(start, {
    map: 0,
    pixel: 10 * 20 + 10,
    capsule: 3 * 6 + 3,
    dimension: 0,
    centre: 14 * 28 + 14,
  });
  assert.deepEqual(capsulePlace(SIZES, start.capsule), { type: 0, row: 3, column: 3 });
});

test("a capsule's window on the maps reaches what the capsule reaches on the input", () => {
  for (let row = 0; row < 6; row++) {
    const window = windowOfCapsule(SIZES, row, 0);
    const rows = Array.from({ length: window.size }, (_, i) => window.row + i);
    const reached = rows.flatMap((each) => {
      const field = fieldOfPixel(SIZES, each, 0);
      return Array.from({ length: field.size }, (_, i) => field.row + i);
    });
    const once = [...new Set(reached)].sort((a, b) => a - b);
    assert.deepEqual(once, rowsBehind(row));
  }
});

for (const [centre, field] of [
  [14 * 28 + 14, { row: 13, column: 13, size: 3 }],
  [0, { row: 0, column: 0, size: 3 }],
  [27 * 28 + 27, { row: 25, column: 25, size: 3 }],
  [27, { row: 0, column: 25, size: 3 }],
  [1 * 28 + 5, { row: 0, column: 4, size: 3 }],
  [10 * 28 + 2, { row: 6, column: 0, size: 9 }],
]) {
  test(`a ${field.size}x${field.size} kernel around pixel ${centre} stands at ${field.row}, ${field.column}`, () => {
    assert.deepEqual(fieldAround(28, field.size, centre), field);
  });
}
