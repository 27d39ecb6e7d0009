import assert from "node:assert/strict";
import { test } from "node:test";

import { paintHeatmap, paintTiles } from "../../../static/js/paint/heatmap.js";

/** As much of a canvas as painting needs; counts how often it is resized. */
function fakeCanvas() {
  const size = { width: 300, height: 150 };
  const canvas = {
    resized: 0,
    painted: null,
    getContext: () => ({
      createImageData: (width, height) => ({
        width,
        height,
        data: new Uint8ClampedArray(4 * width * height),
      }),
      putImageData: (image, x, y) => {
        canvas.painted = { ...image, x, y };
      },
    }),
  };
  for (const side of ["width", "height"]) {
    Object.defineProperty(canvas, side, {
      get: () => size[side],
      set: (value) => {
        size[side] = value;
        canvas.resized++;
      },
    });
  }
  return canvas;
}

/** Packed pixels, row by row. */
function pixelsOf({ painted }) {
  return [...new Uint32Array(painted.data.buffer)];
}

/** A scale that paints each whole number as itself. */
const ITSELF = {
  name: "ink",
  table: Uint32Array.from({ length: 256 }, (_, i) => i),
  low: 0,
  high: 255,
};

test("one value is one pixel, row by row", () => {
  const canvas = fakeCanvas();
  paintHeatmap(canvas, [1, 2, 3, 4, 5, 6], { rows: 2, columns: 3, scale: ITSELF });
  assert.deepEqual([canvas.width, canvas.height], [3, 2]);
  assert.deepEqual([canvas.painted.x, canvas.painted.y], [0, 0]);
  assert.deepEqual(pixelsOf(canvas), [1, 2, 3, 4, 5, 6]);
});

test("a canvas that has the right size is not resized, which would clear it", () => {
  const canvas = fakeCanvas();
  for (let round = 0; round < 3; round++) {
    paintHeatmap(canvas, [1, 2], { rows: 1, columns: 2, scale: ITSELF });
  }
  assert.equal(canvas.resized, 2); // once for each side
});

const LAYOUT = { count: 3, across: 2, rows: 2, columns: 2, gap: 1 };
const VALUES = [1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 24];

test("tiles stand side by side, with transparent gaps", () => {
  const canvas = fakeCanvas();
  // Nothing of what was painted before is left in them.
  const before = { ...LAYOUT, count: 4, gap: 1 };
  paintTiles(canvas, [...VALUES, 5, 6, 7, 8], before, () => ITSELF);
  paintTiles(canvas, VALUES, LAYOUT, () => ITSELF);
  assert.deepEqual([canvas.width, canvas.height], [5, 5]);
  assert.deepEqual(pixelsOf(canvas), [
    ...[1, 2, 0, 11, 12],
    ...[3, 4, 0, 13, 14],
    ...[0, 0, 0, 0, 0],
    ...[21, 22, 0, 0, 0],
    ...[23, 24, 0, 0, 0],
  ]);
});

for (const length of [5, 7]) {
  test(`${length} values are no picture of 2 x 3, and nothing is painted`, () => {
    const canvas = fakeCanvas();
    const values = new Float32Array(length);
    assert.throws(
      () => paintHeatmap(canvas, values, { rows: 2, columns: 3, scale: ITSELF }),
      { name: "RangeError", message: new RegExp(`need 6 values .* got ${length}`) },
    );
    assert.equal(canvas.painted, null);
    assert.equal(canvas.resized, 0);
  });
}
