/**
 * A kernel that reads many maps as one picture: its slices side by side.
 * @import { Place } from "./types.js"
 * @import { Layout } from "../geometry/tiles.js"
 * @import { Tensor } from "../types.js"
 */
import { acrossSquare, pictureSize, tileAt, tilePlace } from "../geometry/tiles.js";

const GAP = 1; // cells between slices

/**
 * How the slices of a kernel stand: nearly a square.
 * @param {number} count slices
 * @param {number} size rows, and columns, of a slice
 * @returns {Layout}
 */
export function sliceLayout(count, size) {
  return { count, across: acrossSquare(count), rows: size, columns: size, gap: GAP };
}

/**
 * @param {Tensor} kernels (kernels, slices, size, size)
 * @returns {Tensor} (kernels, rows, columns), not a number between slices
 */
export function mosaics({ shape: [kernels, slices, size], data }) {
  const layout = sliceLayout(slices, size);
  const { width, height } = pictureSize(layout);
  const tiles = new Float32Array(kernels * height * width).fill(Number.NaN);
  for (let kernel = 0, from = 0; kernel < kernels; kernel++) {
    for (let slice = 0; slice < slices; slice++) {
      const { x, y } = tilePlace(layout, slice);
      for (let row = 0; row < size; row++, from += size) {
        const to = (kernel * height + y + row) * width + x;
        tiles.set(data.subarray(from, from + size), to);
      }
    }
  }
  return { shape: [kernels, height, width], data: tiles };
}

/**
 * Which weight stands at a cell of a mosaic.
 * @param {Layout} layout
 * @param {Place} cell
 * @returns {string} in words; nothing between slices
 */
export function weightName(layout, { row, column }) {
  const found = tileAt(layout, column, row);
  return found === null
    ? ""
    : `slice for map ${found.tile}, row ${found.row}, column ${found.column}`;
}
