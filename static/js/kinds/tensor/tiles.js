/**
 * A tensor of any shape as tiles, all on one scale.
 * @import { Layout } from "../../geometry/tiles.js"
 * @import { Tensor } from "../types.js"
 */
import { acrossSquare } from "../../geometry/tiles.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";

/** One scale for all of its values, from zero where none is below. @param {Tensor} values */
export function scaleOf({ data }) {
  const most = reach(data) || 1;
  return data.some((value) => value < 0) ? diverging(most) : sequential(0, most);
}

/**
 * The last two axes of three and more are a tile's; of two they are one tile; of one, a row.
 * @param {readonly number[]} shape @returns {Layout}
 */
export function tilesOf(shape) {
  const [columns = 1, rows = 1, ...before] = shape.toReversed();
  const count = before.reduce((product, size) => product * size, 1);
  return { count, across: acrossSquare(count), rows, columns, gap: 1 };
}

/**
 * What a tile is called: by its place along the axes before the last two.
 * @param {readonly number[]} shape @param {number} tile
 */
export function tileName(shape, tile) {
  const axes = shape.slice(0, -2);
  if (axes.length === 0) return "all values";
  let rest = tile;
  const places = axes.toReversed().map((size) => {
    const index = rest % size;
    rest = Math.floor(rest / size);
    return index;
  });
  return `${axes.length === 1 ? "map" : "tile"} ${places.toReversed().join(", ")}`;
}
