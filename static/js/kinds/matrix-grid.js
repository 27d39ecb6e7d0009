/**
 * A matrix of a pose's size with its numbers, one of which is in focus.
 * @import { Scale } from "../lib/color.js"
 * @import { Grid } from "../draw/grid.js"
 */
import { grid } from "../draw/grid.js";
import { writtenTiles } from "../draw/tiles.js";
import { compact } from "../lib/decimals.js";
import { numbered, signed } from "../lib/format.js";
import { entryAt, entryPlace, SIDE } from "./matrices.js";

/**
 * @typedef {object} Matrix
 * @property {string} name of its numbers
 * @property {ArrayLike<number>} data row by row
 * @property {Scale} scale
 * @property {number} entry in focus
 * @property {(change: { entry: number }) => void} set
 * @property {string} [of] what the readout begins with
 * @property {Parameters<typeof writtenTiles>[0]["framed"]} [framed]
 */

/** @param {Matrix & Pick<Grid, "title" | "label" | "words">} matrix */
export function matrixGrid({
  name,
  data,
  scale,
  entry,
  set,
  of = "",
  framed,
  ...head
}) {
  const format = (/** @type {number} */ value) => compact(value, 3);
  const names = numbered(SIDE, 1);
  return grid({
    isBare: true,
    chosen: entryPlace(entry),
    rows: { of: "row", names },
    columns: { of: "column", names },
    mark: writtenTiles({ name, data, scale, format, framed }),
    choose: (cell) => set({ entry: entryAt(cell) }),
    words: ({ row, column }) =>
      `${of}row ${row + 1}, column ${column + 1}: ${signed(data[entryAt({ row, column })])}`,
    ...head,
  });
}
