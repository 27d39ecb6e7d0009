/**
 * Pooled maps in the picture of the whole network: all of them.
 * @import { LayerGlance, TraceOf } from "../types.js"
 */
import { reach } from "../../lib/arithmetic.js";

/** @type {LayerGlance} */
export const glance = {
  needs: ["values"],
  of: (/** @type {TraceOf<"values">} */ { tensors: { values: maps } }) => {
    if (maps === undefined) return null;
    const [count, rows, columns] = maps.shape;
    const size = rows * columns;
    const numbers = Array.from({ length: count }, (_, at) => at);
    return {
      form: "tiles",
      count,
      numbers,
      rows,
      columns,
      values: maps.data,
      most: reach(maps.data) || 1,
      strength: numbers.map((at) =>
        Math.hypot(...maps.data.subarray(at * size, (at + 1) * size)),
      ),
      one: "map",
      many: "maps",
      cell: "value",
      value: "activation",
    };
  },
};
