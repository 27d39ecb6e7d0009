/**
 * What the strip shows of each layer: the maps of most energy, the lengths of all primary
 * capsules, couplings beyond even.
 * @import { Layout } from "../../geometry/tiles.js"
 * @import { TraceOf } from "../../types.js"
 */
import { glimpseTiles, paintGlimpse } from "../../convolution/glimpse.js";
import { sequential } from "../../lib/color.js";
import { paintTiles } from "../../paint/heatmap.js";

/**
 * @param {TraceOf<"conv1.glimpse">} trace
 * @returns {Layout}
 */
export function mapTiles({ tensors }) {
  return glimpseTiles(tensors["conv1.glimpse"]);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {TraceOf<"conv1.glimpse">} trace
 */
export function paintMaps(canvas, { tensors }) {
  paintGlimpse(canvas, tensors["conv1.glimpse"]);
}

/**
 * @param {TraceOf<"primary.lengths">} trace
 * @returns {Layout}
 */
export function typeTiles({ tensors }) {
  const [count, rows, columns] = tensors["primary.lengths"].shape;
  return { count, across: Math.ceil(count / 4), rows, columns, gap: 1 };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {TraceOf<"primary.lengths">} trace
 */
export function paintTypes(canvas, trace) {
  const { data } = trace.tensors["primary.lengths"];
  paintTiles(canvas, data, typeTiles(trace), () => sequential(0, 1));
}
