/**
 * A few maps of a layer as a thumbnail.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { Tensor } from "../types.js"
 */

import { reach } from "../lib/arithmetic.js";
import { sequential } from "../lib/color.js";
import { paintTiles } from "../paint/heatmap.js";

const ACROSS = 4;
const GAP = 2; // cells

/**
 * @param {Tensor} maps (count, rows, columns)
 * @returns {Layout}
 */
export function glimpseTiles({ shape: [count, rows, columns] }) {
  return { count, across: ACROSS, rows, columns, gap: GAP };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Tensor} maps (count, rows, columns), none below zero
 */
export function paintGlimpse(canvas, maps) {
  const brightest = sequential(0, reach(maps.data) || 1);
  paintTiles(canvas, maps.data, glimpseTiles(maps), () => brightest);
}
