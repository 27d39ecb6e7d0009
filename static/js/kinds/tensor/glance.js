/**
 * A tensor of any shape in the picture of the whole network: all of its tiles.
 * @import { LayerGlance, TraceOf } from "../types.js"
 */
import { scaleOf, tilesOf } from "./tiles.js";

/** @type {LayerGlance} */
export const glance = {
  needs: ["values"],
  of: (/** @type {TraceOf<"values">} */ { tensors: { values } }) => {
    if (values === undefined) return null;
    const { shape, data } = values;
    const { count, rows, columns } = tilesOf(shape);
    const size = rows * columns;
    const numbers = Array.from({ length: count }, (_, at) => at);
    const { name, high } = scaleOf(values);
    const isOfMaps = shape.length === 3;
    return {
      form: "tiles",
      count,
      numbers,
      rows,
      columns,
      values: data,
      most: high,
      isSigned: name === "diverging",
      strength: numbers.map((at) =>
        Math.hypot(...data.subarray(at * size, (at + 1) * size)),
      ),
      ...(isOfMaps ? { one: "map", many: "maps" } : { one: "tile", many: "tiles" }),
      cell: "value",
      value: "value",
    };
  },
};
