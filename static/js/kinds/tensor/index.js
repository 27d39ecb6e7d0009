/**
 * A tensor of any shape, as tiles: what a layer is shown as of which the page knows no more.
 * @import { Layout } from "../../geometry/tiles.js"
 * @import { Kind, Tensor, TraceOf } from "../types.js"
 */
import { whole } from "../../core/schema.js";
import { acrossSquare } from "../../geometry/tiles.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { paintTiles } from "../../paint/heatmap.js";
import { middleOf } from "../convolution/field.js";

/**
 * Its tensor: `values`. Where the layer has windows, the last two axes are its grid.
 * @type {Kind}
 */
export const tensor = {
  name: "tensor",
  keys: ({ id }) => ({ tile: `${id}.tile`, cell: `${id}.cell` }),
  fields(model, { id, shapeOf }) {
    const { count, rows, columns } = tilesOf(shapeOf(model, "values"));
    return {
      tile: whole({ link: `${id}-tile`, most: count - 1 }),
      cell: whole({
        link: `${id}-cell`,
        most: rows * columns - 1,
        start: middleOf(rows, columns),
      }),
    };
  },
  needs: ["values"],
  thumbnail: {
    needs: ["values"],
    paint: (canvas, /** @type {TraceOf<"values">} */ { tensors: { values } }) =>
      paintTiles(canvas, values.data, tilesOf(values.shape), () => scaleOf(values)),
    layout: ({ tensors: { values } }) => tilesOf(values.shape),
  },
  focus({ model, layer }, { row, column }) {
    const { columns } = tilesOf(layer.shapeOf(model, "values"));
    return { cell: row * columns + column };
  },
  script: "kinds/tensor/view.js",
  load: () => import("./view.js"),
};

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
    const place = rest % size;
    rest = Math.floor(rest / size);
    return place;
  });
  return `${axes.length === 1 ? "map" : "tile"} ${places.toReversed().join(", ")}`;
}
