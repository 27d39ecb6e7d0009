/**
 * What the strip shows of each layer: the maps of most energy, the hidden units, the
 * classes' probabilities.
 * @import { Thumbnail, TraceOf } from "../../types.js"
 * @import { Layer } from "./places.js"
 * @import { Cnn } from "./types.js"
 */
import { glimpseTiles, paintGlimpse } from "../../convolution/glimpse.js";
import { reach } from "../../lib/arithmetic.js";
import { sequential } from "../../lib/color.js";
import { paintTiles } from "../../paint/heatmap.js";
import { fieldOf } from "./places.js";
import { sizesOf } from "./state.js";

/**
 * The maps of a layer that have most energy, and what their pixels saw.
 * @template {Layer} Name
 * @param {Name} layer
 * @returns {Thumbnail<Cnn, `${Name}.glimpse`>}
 */
export function glimpseOf(layer) {
  const name = /** @type {const} */ (`${layer}.glimpse`);
  const maps = (/** @type {TraceOf<`${Name}.glimpse`>} */ { tensors }) => tensors[name];
  return {
    needs: [name],
    paint: (canvas, trace) => paintGlimpse(canvas, maps(trace)),
    hover: {
      layout: (trace) => glimpseTiles(maps(trace)),
      field: (model, row, column) => fieldOf(sizesOf(model), layer, row, column),
    },
  };
}

/**
 * Every hidden unit a cell, row by row, in a picture twice as wide as it is high.
 * @param {HTMLCanvasElement} canvas
 * @param {TraceOf<"hidden">} trace
 */
export function paintUnits(canvas, { tensors }) {
  const { data } = tensors.hidden;
  const across = Math.ceil(Math.sqrt(2 * data.length));
  const layout = { count: data.length, across, rows: 1, columns: 1, gap: 0 };
  const brightest = sequential(0, reach(data) || 1);
  paintTiles(canvas, data, layout, () => brightest);
}
