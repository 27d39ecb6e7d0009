/**
 * What the strip shows of each layer: the maps of most energy, the lengths of all primary
 * capsules, couplings beyond even.
 * @import { Layout } from "../../geometry/tiles.js"
 * @import { TraceOf } from "../../types.js"
 */
import { glimpseTiles, paintGlimpse } from "../../convolution/glimpse.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { paintHeatmap, paintTiles } from "../../paint/heatmap.js";
import { beyondEven } from "./routing/sums.js";

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

/**
 * @param {HTMLCanvasElement} canvas
 * @param {TraceOf<"routing.types">} trace
 */
export function paintCouplings(canvas, { tensors }) {
  const { shape, data } = tensors["routing.types"];
  const [types, classes] = shape;
  const beyond = transposed(beyondEven(data, classes), classes);
  const scale = diverging(reach(beyond) || 1);
  paintHeatmap(canvas, beyond, { rows: classes, columns: types, scale });
}

/**
 * @param {Float32Array} values row by row
 * @param {number} columns
 * @returns {Float32Array} column by column
 */
function transposed(values, columns) {
  const rows = values.length / columns;
  return values.map((_, i) => values[(i % rows) * columns + Math.floor(i / rows)]);
}
