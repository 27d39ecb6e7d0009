import assert from "node:assert/strict";
import { test } from "node:test";

import {
  deadWords,
  energies,
  inColours,
  mosaics,
  sliceLayout,
  weightName,
} from "../../../../static/js/kinds/convolution/maps.js";
import { says, tensor } from "../../fixtures.js";

const MAPS = { shape: [3, 1, 2], data: Float32Array.of(1, 2, 0, 0, -3, 0.5) };

test("energy is the sum of squares of each map", () => {
  assert.deepEqual([...energies(MAPS)], [5, 0, 9.25]);
});

test("dead maps are counted, with how many respond where that was measured", () => {
  assert.equal(deadWords([5, 0.1], 0.5), "");
  says(deadWords(energies(MAPS), undefined), "1 of 3 maps is dead");
  says(deadWords([0, 0, 1], 0.458), "2 of 3 maps are dead…46 % of the maps");
});

const GAP = Number.NaN;

test("slices stand row by row, with a gap between them", () => {
  // Two kernels of three slices of 1x1: two slices in a row.
  const mosaic = mosaics(tensor([2, 3, 1, 1], [1, 2, 3, 4, 5, 6]));
  assert.deepEqual(mosaic.shape, [2, 3, 3]);
  assert.deepEqual(
    [...mosaic.data],
    [
      ...[1, GAP, 2, GAP, GAP, GAP, 3, GAP, GAP],
      ...[4, GAP, 5, GAP, GAP, GAP, 6, GAP, GAP],
    ],
  );
});

test("a cell is told by its slice, and by its place in it", () => {
  const layout = sliceLayout(32, { rows: 5, columns: 5 }); // six in a row
  assert.equal(
    weightName(layout, { row: 0, column: 0 }),
    "slice for map 0, row 0, column 0",
  );
  assert.equal(
    weightName(layout, { row: 8, column: 34 }),
    "slice for map 11, row 2, column 4",
  );
  assert.equal(weightName(layout, { row: 5, column: 0 }), "");
});

test("a kernel in its colours is grey at zero and full at its largest weight", () => {
  const weights = [0, 2, -2, 1, 0, 0.5]; // of two kernels of three weights
  const shades = inColours(weights, (i) => (i < 3 ? 2 : 1));
  assert.deepEqual([...shades], [0.5, 1, 0, 1, 0.5, 0.75]);
});
