import assert from "node:assert/strict";
import { test } from "node:test";

import { pixelNear } from "../../../../static/js/convolution/field.js";
import { layerOf } from "../../../../static/js/convolution/reading.js";
import {
  fieldOf,
  numberOf,
  placeIn,
  positionsAbove,
  sidesOf,
} from "../../../../static/js/networks/matrix/places.js";
import { blank, tensor } from "../../fixtures.js";
import { SIZES } from "./made.js";

test("grids shrink from 11 to 5 to 3, and 3 pixels are unread", () => {
  assert.deepEqual(sidesOf(SIZES), {
    conv1: 11,
    primary: 11,
    caps1: 5,
    caps2: 3,
    unread: 3,
  });
});

test("fields begin at pixel 2 and grow with the layers", () => {
  const corner = { row: 0, column: 0 };
  assert.deepEqual(fieldOf(SIZES, "primary", corner), { row: 2, column: 2, size: 5 });
  assert.deepEqual(fieldOf(SIZES, "caps1", corner), { row: 2, column: 2, size: 9 });
  assert.deepEqual(fieldOf(SIZES, "caps2", corner), { row: 2, column: 2, size: 17 });
  // The last one ends where the reading ends: pixel 26 of 27.
  assert.deepEqual(fieldOf(SIZES, "primary", { row: 10, column: 10 }), {
    row: 22,
    column: 22,
    size: 5,
  });
  assert.deepEqual(fieldOf(SIZES, "caps2", { row: 2, column: 1 }), {
    row: 10,
    column: 6,
    size: 17,
  });
});

test("windows of three with a stride of two share their edges", () => {
  const seen = (row, column) => positionsAbove(SIZES, "caps1", { row, column });
  assert.deepEqual(seen(1, 1), [{ row: 0, column: 0 }]);
  assert.deepEqual(seen(2, 2).length, 4);
  assert.deepEqual(seen(10, 10), [{ row: 4, column: 4 }]);
  assert.equal(positionsAbove(SIZES, "caps2", { row: 2, column: 2 }).length, 9);
  assert.deepEqual(positionsAbove(SIZES, "classes", { row: 2, column: 0 }), [
    { row: 0, column: 0 },
  ]);
});

test("numbers and places are each other's reverse", () => {
  const grid = { types: 8, side: 5 };
  for (const number of [0, 7, 124, 199])
    assert.equal(numberOf(grid, placeIn(grid, number)), number);
});

test("Conv1 is read with a stride and from the pixel where it begins", () => {
  const kernels = {
    kernels: tensor([1, 5, 5], Array(25).fill(0)),
    bias: tensor([1], [0]),
  };
  const pre = tensor([1, 11, 11], Array(121).fill(0));
  const { reach } = layerOf(blank(), kernels, pre, 2);
  assert.deepEqual(reach, { size: 5, step: 2, first: 2 });
  const from = { row: 0, column: 0 };
  assert.deepEqual(pixelNear(reach, 11, { row: 4, column: 24 }, from), {
    row: 0,
    column: 10,
  });
  const whole = tensor([1, 24, 24], Array(576).fill(0));
  assert.deepEqual(layerOf(blank(), kernels, whole).reach, {
    size: 5,
    step: 1,
    first: 0,
  });
});
