/**
 * Where on the input a unit looked, and which pooling window holds a pixel.
 * @import { Field } from "../../types.js"
 * @import { CnnSizes } from "./types.js"
 */
import { middleOf } from "../../convolution/field.js";

/** Rows, and columns, of a pooling window, and its stride; `POOL` of the Python side. */
export const POOL = 2;

/**
 * Rows, and columns, of each layer's maps.
 * @param {CnnSizes} sizes
 */
export function sidesOf({ image_size, kernel_size }) {
  const conv1 = image_size - kernel_size + 1;
  const pool1 = Math.floor(conv1 / POOL); // an odd last row is in no window
  const conv2 = pool1 - kernel_size + 1;
  return { conv1, pool1, conv2, pool2: Math.floor(conv2 / POOL) };
}

/**
 * How many pixels of the input in a row reach one unit of each layer, and how far apart
 * on the input neighbours look. A kernel or a window widens what lies beneath by all but
 * one of its cells, each as far apart as the units beneath; pooling doubles the distance.
 * @param {CnnSizes} sizes
 */
export function reachOf({ kernel_size }) {
  const conv1 = { size: kernel_size, step: 1 };
  const pool1 = { size: conv1.size + POOL - 1, step: POOL };
  const conv2 = { size: pool1.size + (kernel_size - 1) * pool1.step, step: pool1.step };
  const pool2 = { size: conv2.size + (POOL - 1) * conv2.step, step: POOL * conv2.step };
  return { conv1, pool1, conv2, pool2 };
}

/** @typedef {keyof ReturnType<typeof reachOf>} Layer */

/**
 * What a unit saw on the input.
 * @param {CnnSizes} sizes
 * @param {Layer} layer
 * @param {number} row of its map
 * @param {number} column
 * @returns {Field}
 */
export function fieldOf(sizes, layer, row, column) {
  const { size, step } = reachOf(sizes)[layer];
  return { row: row * step, column: column * step, size };
}

/**
 * The pooling window that holds a pixel; the last one for a pixel that is in none.
 * @param {number} pixel of a map, row * across + column
 * @param {number} across pixels in a row of the map
 * @returns {{ row: number, column: number }} of the pooled map
 */
export function windowOf(pixel, across) {
  const last = Math.floor(across / POOL) - 1;
  const within = (/** @type {number} */ at) => Math.min(Math.floor(at / POOL), last);
  return { row: within(Math.floor(pixel / across)), column: within(pixel % across) };
}

/**
 * What is in focus before anything has been chosen: the middle of the first map of each
 * layer and of the input, where there is ink to look at.
 * @param {CnnSizes} sizes
 */
export function startingPlaces(sizes) {
  const { conv1, conv2 } = sidesOf(sizes);
  return {
    map: 0,
    pixel: middleOf(conv1),
    map2: 0,
    pixel2: middleOf(conv2),
    centre: middleOf(sizes.image_size),
  };
}
