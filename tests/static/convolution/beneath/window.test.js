import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cellOfPixel,
  fieldOfCell,
  pixelOfCell,
} from "../../../../static/js/convolution/beneath/window.js";

// A window of 5x5 on maps whose pixels see 6x6, two further on each: Pool1's.
const BENEATH = { window: { row: 4, column: 7, size: 5 }, reach: { size: 6, step: 2 } };

test("a cell of the window is a pixel of the maps, and back", () => {
  assert.deepEqual(pixelOfCell(BENEATH, { row: 1, column: 4 }), { row: 5, column: 11 });
  assert.deepEqual(cellOfPixel(BENEATH, { row: 5, column: 11 }), { row: 1, column: 4 });
});

test("pixels beside the window are none of its cells", () => {
  for (const [row, column] of [
    [3, 7],
    [4, 6],
    [9, 7],
    [4, 12],
  ])
    assert.equal(cellOfPixel(BENEATH, { row, column }), null);
});

test("a cell saw what its pixel saw", () => {
  const field = fieldOfCell(BENEATH, { row: 1, column: 4 });
  assert.deepEqual(field, { row: 10, column: 22, size: 6 });
});
