/**
 * The chosen map, what is below it and its winners as tables.
 * @import { PooledMap } from "./windows.js"
 */
import { square } from "../../../convolution/tables.js";

/**
 * @param {PooledMap} map
 * @param {number} number of the map
 */
export function listedMap({ below, side, pooled, winners, across }, number) {
  // A window of four zeros has no winner, whatever pixel the trace names.
  const won = winners.map((winner, i) => (pooled[i] === 0 ? Number.NaN : winner));
  const winnersTable = square(
    "Winners: 0 upper left, 1 upper right, 2 lower left, 3 lower right, – none",
    won,
    across,
  );
  return [
    square(`Map ${number} before pooling`, below, side),
    square(`Map ${number} after pooling`, pooled, across),
    { ...winnersTable, options: { ...winnersTable.options, decimals: 0 } },
  ];
}
