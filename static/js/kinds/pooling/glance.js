/**
 * Pooled maps in the picture of the whole network: all of them.
 * @import { LayerGlance, TraceOf } from "../types.js"
 */
import { tilesGlance } from "../tiles.js";

/** @type {LayerGlance} */
export const glance = {
  needs: ["values"],
  of: (/** @type {TraceOf<"values">} */ { tensors: { values: maps } }) => {
    if (maps === undefined) return null;
    const [count, rows, columns] = maps.shape;
    const tiles = tilesGlance(maps.data, { count, rows, columns });
    return { ...tiles, one: "map", many: "maps", value: "activation" };
  },
};
