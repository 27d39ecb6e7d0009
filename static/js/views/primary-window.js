/**
 * The window of Conv1's maps that the chosen capsule reads, and places in it.
 * @import { Field } from "../types.js"
 * @import { Contributions } from "../lib/contributions.js"
 * @import { Primary } from "./primary.js"
 */
import { fieldOfPixel, sidesOf } from "../geometry/receptive-field.js";

/**
 * One number of the chosen capsule and what lies beneath it.
 * @typedef {object} Beneath
 * @property {Primary} layer
 * @property {Field} window in pixels of Conv1's maps
 * @property {number} dimension which number, 0 first
 * @property {Contributions} parts
 */

/** @typedef {{ row: number, column: number }} Cell of the window, from its top left */

/**
 * What a cell saw on the input.
 * @param {Beneath} beneath
 * @param {Cell} cell
 */
export function fieldOfCell({ layer, window }, { row, column }) {
  return fieldOfPixel(layer.sizes, window.row + row, window.column + column);
}

/**
 * A cell as a pixel of Conv1's maps, row by row.
 * @param {Beneath} beneath
 * @param {Cell} cell
 */
export function pixelOfCell({ layer, window }, { row, column }) {
  const { conv1 } = sidesOf(layer.sizes);
  return (window.row + row) * conv1 + window.column + column;
}
