/**
 * Maps in the picture of the whole network: those with the most energy have come, and the
 * energy of all; of networks that do not answer with these, all maps.
 * @import { LayerGlance, Tensor, TraceOf } from "../types.js"
 * @import { TilesGlance } from "../../overview/types.js"
 */
import { ranked, reach } from "../../lib/arithmetic.js";
import { tilesGlance } from "../tiles.js";

const MAPS = { one: "map", many: "maps", value: "activation" };

/** @type {LayerGlance} */
export const glance = {
  needs: ({ tensors }) => ("energy" in tensors ? ["glimpse", "energy"] : ["pre"]),
  of(/** @type {Partial<TraceOf<string>>} */ { tensors }) {
    const { glimpse, energy, pre } = /** @type {Partial<Record<string, Tensor>>} */ (
      tensors
    );
    if (glimpse && energy) {
      // In the order of their numbers; of equal ones the first.
      const numbers = ranked(energy.data)
        .slice(0, glimpse.shape[0])
        .sort((a, b) => a - b);
      return tiles(glimpse, energy.data, numbers);
    }
    if (pre === undefined) return null;
    const [count, rows, columns] = pre.shape;
    const values = pre.data.map((value) => Math.max(0, value));
    return { ...tilesGlance(values, { count, rows, columns }), ...MAPS };
  },
};

/**
 * @param {Tensor} values (maps that have come, rows, columns), after ReLU
 * @param {Float32Array} energy of all maps @param {number[]} numbers of those that have come
 * @returns {TilesGlance}
 */
function tiles({ shape, data: values }, energy, numbers) {
  const [, rows, columns] = shape;
  return {
    form: "tiles",
    rows,
    columns,
    values,
    numbers,
    count: energy.length,
    most: reach(values) || 1,
    strength: energy.map(Math.sqrt),
    cell: "value",
    ...MAPS,
  };
}
