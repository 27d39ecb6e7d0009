/**
 * Maps in the picture of the whole network: those with the most energy have come, and the
 * energy of all.
 * @import { LayerGlance, TraceOf } from "../types.js"
 */
import { ranked, reach } from "../../lib/arithmetic.js";

/** @type {LayerGlance} */
export const glance = {
  needs: ["glimpse", "energy"],
  of: (/** @type {TraceOf<"glimpse" | "energy">} */ { tensors }) => {
    const { glimpse, energy } = tensors;
    if (glimpse === undefined || energy === undefined) return null;
    const [sent, rows, columns] = glimpse.shape;
    return {
      ...{ form: "tiles", rows, columns, values: glimpse.data },
      count: energy.data.length,
      // In the order of their numbers; of equal ones the first.
      numbers: ranked(energy.data)
        .slice(0, sent)
        .sort((a, b) => a - b),
      most: reach(glimpse.data) || 1,
      strength: energy.data.map(Math.sqrt),
      ...{ one: "map", many: "maps", cell: "value", value: "activation" },
    };
  },
};
