import assert from "node:assert/strict";
import { test } from "node:test";

import {
  fieldOf,
  reachOf,
  sidesOf,
  startingPlaces,
  windowOf,
} from "../../../../static/js/networks/cnn/places.js";
import { CNN_SIZES } from "./made.js";

/** Rows of the layer beneath that a row reaches, by what stands there. */
const KERNEL = (row) => [row, row + 1, row + 2, row + 3, row + 4];
const WINDOW = (row) => [2 * row, 2 * row + 1];

/** From the input up. */
const LAYERS = {
  conv1: [KERNEL],
  pool1: [KERNEL, WINDOW],
  conv2: [KERNEL, WINDOW, KERNEL],
  pool2: [KERNEL, WINDOW, KERNEL, WINDOW],
};

/** Input rows behind a row of a layer, walked down one layer after the other. */
function rowsBehind(layer, row) {
  let rows = [row];
  for (const beneath of LAYERS[layer].toReversed())
    rows = [...new Set(rows.flatMap(beneath))];
  return rows.sort((a, b) => a - b);
}

test("maps are 24, 12, 8 and 4 pixels wide", () => {
  assert.deepEqual(sidesOf(CNN_SIZES), { conv1: 24, pool1: 12, conv2: 8, pool2: 4 });
});

test("a last row that is odd is in no window", () => {
  const sizes = { ...CNN_SIZES, image_size: 29 };
  assert.deepEqual(sidesOf(sizes), { conv1: 25, pool1: 12, conv2: 8, pool2: 4 });
});

test("what units see grows with each layer, as worked out by hand", () => {
  // 5; 5 + 1; 6 + 4 × 2; 14 + 1 × 2
  assert.deepEqual(reachOf(CNN_SIZES), {
    conv1: { size: 5, step: 1 },
    pool1: { size: 6, step: 2 },
    conv2: { size: 14, step: 2 },
    pool2: { size: 16, step: 4 },
  });
});

for (const layer of Object.keys(LAYERS)) {
  test(`a field of ${layer} is what its layers reach, no more and no less`, () => {
    const last = sidesOf(CNN_SIZES)[layer] - 1;
    for (let row = 0; row <= last; row++) {
      const field = fieldOf(CNN_SIZES, layer, row, 0);
      const rows = Array.from({ length: field.size }, (_, i) => field.row + i);
      assert.deepEqual(rowsBehind(layer, row), rows);
    }
    const { column, size } = fieldOf(CNN_SIZES, layer, 0, last);
    assert.equal(column + size, 28); // the last one ends with the input
  });
}

test("a pixel is in the window that pools it", () => {
  assert.deepEqual(windowOf(0, 24), { row: 0, column: 0 });
  assert.deepEqual(windowOf(24 + 1, 24), { row: 0, column: 0 });
  assert.deepEqual(windowOf(5 * 24 + 22, 24), { row: 2, column: 11 });
});

test("a pixel in no window is told as in the last", () => {
  assert.deepEqual(windowOf(24 * 25 + 24, 25), { row: 11, column: 11 });
});

test("what is first in focus is in the middle", () => {
  assert.deepEqual(startingPlaces(CNN_SIZES), {
    map: 0,
    pixel: 12 * 24 + 12,
    map2: 0,
    pixel2: 4 * 8 + 4,
    centre: 14 * 28 + 14,
  });
});
