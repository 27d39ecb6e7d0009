/**
 * The window of the maps below that an output reads, and places in it.
 * @import { Field, Tensor } from "../../types.js"
 * @import { Place, Reach } from "../types.js"
 * @import { Contributions } from "./contributions.js"
 */
import { fieldAt } from "../field.js";

/**
 * One output of a convolution and what lies beneath it.
 * @typedef {object} Beneath
 * @property {Tensor} maps (maps, side, side), those below
 * @property {Reach} reach what their pixels see on the input
 * @property {Field} window in their pixels
 * @property {Contributions} parts
 */

/**
 * A cell of the window as a pixel of the maps.
 * @param {Pick<Beneath, "window">} beneath
 * @param {Place} cell of the window, from its top left
 * @returns {Place}
 */
export function pixelOfCell({ window }, { row, column }) {
  return { row: window.row + row, column: window.column + column };
}

/**
 * What a cell of the window saw on the input.
 * @param {Pick<Beneath, "window" | "reach">} beneath
 * @param {Place} cell
 * @returns {Field}
 */
export function fieldOfCell(beneath, cell) {
  return fieldAt(beneath.reach, pixelOfCell(beneath, cell));
}

/**
 * A pixel of the maps as a cell of the window.
 * @param {Pick<Beneath, "window">} beneath
 * @param {Place} pixel
 * @returns {Place | null} null outside of it
 */
export function cellOfPixel({ window }, { row, column }) {
  const cell = { row: row - window.row, column: column - window.column };
  const isInside = [cell.row, cell.column].every((at) => at >= 0 && at < window.size);
  return isInside ? cell : null;
}
