/** What kinds of layers show as tiles in the picture of the whole network. */
import { lengthsOf, reach } from "../lib/arithmetic.js";

/**
 * Tiles one after another, as a glance has them.
 * @param {Float32Array} values
 * @param {{ count: number, rows: number, columns: number }} tiles
 */
export function tilesGlance(values, { count, rows, columns }) {
  const numbers = Array.from({ length: count }, (_, at) => at);
  const strength = lengthsOf(values, rows * columns);
  const shape = { form: /** @type {const} */ ("tiles"), count, rows, columns };
  return {
    ...shape,
    numbers,
    values,
    most: reach(values) || 1,
    strength,
    cell: "value",
  };
}
