/**
 * A tensor of any shape in the picture of the whole network: all of its tiles.
 * @import { LayerGlance, TraceOf } from "../types.js"
 */
import { tilesGlance } from "../tiles.js";
import { scaleOf, tilesOf } from "./tiles.js";

/** @type {LayerGlance} */
export const glance = {
  needs: ["values"],
  of: (/** @type {TraceOf<"values">} */ { tensors: { values } }) => {
    if (values === undefined) return null;
    const { shape, data } = values;
    const of = shape.length === 3 ? ["map", "maps"] : ["tile", "tiles"];
    return {
      ...tilesGlance(data, tilesOf(shape)),
      isSigned: scaleOf(values).name === "diverging",
      ...{ one: of[0], many: of[1], value: "value" },
    };
  },
};
