/**
 * A tensor of any shape, as tiles: what a layer is shown as of which the page knows no more.
 * @import { Kind, TraceOf } from "../types.js"
 */
import { optional } from "../../core/schema.js";
import { paintTiles } from "../../paint/heatmap.js";
import { strongestTile } from "../convolution/field.js";
import { glance } from "./glance.js";
import { scaleOf, tilesOf } from "./tiles.js";

const WHY =
  "The page knows the shape of this layer and its values for this image, but not how they are computed.";

/**
 * Its word: `why` no more is shown. Its tensor: `values`. Where the layer has windows, the last two axes are its grid.
 * @type {Kind}
 */
export const tensor = {
  name: "tensor",
  words: () => ({ why: WHY }),
  keys: ({ id }) => ({ tile: `${id}.tile`, cell: `${id}.cell` }),
  fields(model, { id, shapeOf }) {
    const { count, rows, columns } = tilesOf(shapeOf(model, "values"));
    return {
      tile: optional({ link: `${id}-tile`, most: count - 1 }),
      cell: optional({ link: `${id}-cell`, most: rows * columns - 1 }),
    };
  },
  needs: ["values"],
  thumbnail: {
    needs: ["values"],
    paint: (canvas, /** @type {TraceOf<"values">} */ { tensors: { values } }) =>
      paintTiles(canvas, values.data, tilesOf(values.shape), () => scaleOf(values)),
  },
  glance,
  focus({ model, layer }, { row, column, tile }) {
    const { columns } = tilesOf(layer.shapeOf(model, "values"));
    const cell = row * columns + column;
    return tile === undefined ? { cell } : { cell, tile };
  },
  strongest: {
    keys: ["tile", "cell"],
    of({ trace, model, layer, tile: chosen }) {
      const { rows, columns } = tilesOf(layer.shapeOf(model, "values"));
      const strongest = strongestTile(trace?.tensors.values, rows * columns, chosen);
      return strongest && { tile: strongest[0], cell: strongest[1] };
    },
  },
  script: "kinds/tensor/panels.js",
  load: () => import("./panels.js"),
};
