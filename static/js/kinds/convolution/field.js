/**
 * Where kernels lie, and where the pixels of a map look.
 * @import { Field, Place, Reach } from "./types.js"
 */
import { clamp } from "../../lib/arithmetic.js";

/**
 * The patch under a kernel of any odd size whose middle is as near to a pixel as the
 * picture's edges allow.
 * @param {{ rows: number, columns: number }} picture
 * @param {number} size of the kernel
 * @param {number} centre the pixel, row * columns + column
 * @returns {Field}
 */
export function fieldAround({ rows, columns }, size, centre) {
  const half = (size - 1) / 2;
  const from = (/** @type {number} */ at, /** @type {number} */ count) =>
    clamp(at - half, 0, count - size);
  const { row, column } = placeOf(centre, columns);
  return { row: from(row, rows), column: from(column, columns), size };
}

/**
 * What a pixel of a map saw.
 * @param {Reach} reach @param {Place} pixel
 * @returns {Field}
 */
export function fieldAt({ size, step, first = 0 }, { row, column }) {
  return { row: first + row * step, column: first + column * step, size };
}

/**
 * The middle of what a pixel of a map saw; it may lie between pixels of the input.
 * @param {Reach} reach @param {Place} pixel
 * @returns {Place}
 */
export function middleAt(reach, pixel) {
  const { row, column, size } = fieldAt(reach, pixel);
  const half = (size - 1) / 2;
  return { row: row + half, column: column + half };
}

/**
 * The pixel of a map that looks most directly at a place on the input. Of two that are as
 * near it is the one further from where the reader is, so that every step counts.
 * @param {Reach} reach @param {{ rows: number, columns: number }} map
 * @param {Place} at on the input
 * @param {Place} from where the reader is, on the map
 * @returns {Place}
 */
export function pixelNear({ size, step, first = 0 }, { rows, columns }, at, from) {
  const half = first + (size - 1) / 2;
  /** @param {number} to @param {number} now @param {number} count */
  const nearest = (to, now, count) => {
    const exact = (to - half) / step;
    const whole = exact < now ? Math.ceil(exact - 0.5) : Math.floor(exact + 0.5);
    return clamp(whole, 0, count - 1);
  };
  return {
    row: nearest(at.row, from.row, rows),
    column: nearest(at.column, from.column, columns),
  };
}

/**
 * A pixel of a map by its number.
 * @param {number} pixel row * across + column
 * @param {number} across pixels in a row of the map
 * @returns {Place}
 */
export function placeOf(pixel, across) {
  return { row: Math.floor(pixel / across), column: pixel % across };
}

/**
 * The number of the cell in the middle.
 * @param {number} rows
 * @param {number} [columns] as many as rows when absent
 */
export function middleOf(rows, columns = rows) {
  return Math.floor(rows / 2) * columns + Math.floor(columns / 2);
}
