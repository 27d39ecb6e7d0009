/**
 * Where on the input a unit looked.
 * @import { Field } from "../../types.js"
 * @import { CapsNetSizes } from "./types.js"
 */
import { middleOf } from "../../convolution/field.js";

/**
 * The patch under a kernel: that of a Conv1 pixel.
 * @param {CapsNetSizes} sizes
 * @param {number} row of the map
 * @param {number} column
 * @returns {Field}
 */
export function fieldOfPixel({ kernel_size }, row, column) {
  return { row, column, size: kernel_size };
}

/**
 * What lies under a primary capsule on every map of Conv1, in pixels of the maps.
 * @param {CapsNetSizes} sizes
 * @param {number} row of the grid
 * @param {number} column
 * @returns {Field}
 */
export function windowOfCapsule({ kernel_size, primary_stride }, row, column) {
  return {
    row: row * primary_stride,
    column: column * primary_stride,
    size: kernel_size,
  };
}

/**
 * The patch that reaches a primary capsule through both convolutions: 17 x 17 pixels,
 * two further on for each step on the 6 x 6 grid.
 * @param {CapsNetSizes} sizes
 * @param {number} row of the grid
 * @param {number} column
 * @returns {Field}
 */
export function fieldOfCapsule({ kernel_size, primary_stride }, row, column) {
  return {
    row: row * primary_stride,
    column: column * primary_stride,
    size: 2 * kernel_size - 1,
  };
}

/**
 * Rows, and columns, of a Conv1 map and of the grid of primary capsules.
 * @param {CapsNetSizes} sizes
 * @returns {{ conv1: number, primary: number }}
 */
export function sidesOf({ image_size, kernel_size, primary_stride }) {
  const conv1 = image_size - kernel_size + 1;
  return { conv1, primary: Math.floor((conv1 - kernel_size) / primary_stride) + 1 };
}

/**
 * Where a primary capsule stands.
 * @param {CapsNetSizes} sizes
 * @param {number} capsule (type * side + row) * side + column
 * @returns {{ type: number, row: number, column: number }}
 */
export function capsulePlace(sizes, capsule) {
  const { primary } = sidesOf(sizes);
  const cell = capsule % primary ** 2;
  return {
    type: Math.floor(capsule / primary ** 2),
    row: Math.floor(cell / primary),
    column: cell % primary,
  };
}

/**
 * What is in focus before anything has been chosen: the middle of the first map, of the
 * first type and of the input, where there is ink to look at.
 * @param {CapsNetSizes} sizes
 * @returns {{ map: number, pixel: number, capsule: number, dimension: number, centre: number }}
 */
export function startingPlaces(sizes) {
  const { conv1, primary } = sidesOf(sizes);
  return {
    map: 0,
    pixel: middleOf(conv1),
    capsule: middleOf(primary),
    dimension: 0,
    centre: middleOf(sizes.image_size),
  };
}
