/**
 * Where capsules stand, and which of those above see them.
 * @import { Layer, Model, Reach } from "../types.js"
 * @import { Place } from "./types.js"
 */
import { fieldAt } from "../../geometry/windows.js";

/** @param {readonly number[]} shape types, rows, columns; capsules alone: how many */
export const gridOf = ([, rows = 1, columns = 1]) => ({ rows, columns });

/**
 * @param {{ rows: number, columns: number }} grid
 * @param {number} capsule (type * rows + row) * columns + column
 * @returns {Place}
 */
export function placeIn({ rows, columns }, capsule) {
  const cell = capsule % (rows * columns);
  return {
    type: Math.floor(capsule / (rows * columns)),
    row: Math.floor(cell / columns),
    column: cell % columns,
  };
}

/**
 * @param {{ rows: number, columns: number }} grid @param {Place} place
 * @returns {number} (type * rows + row) * columns + column
 */
export function numberOf({ rows, columns }, { type, row, column }) {
  return (type * rows + row) * columns + column;
}

/** Choose a capsule by hand: it stays. @param {number} capsule */
export const choosing = (capsule) => ({ capsule, followsStrongest: false });

/** @param {Place} place */
export function positionWords({ type, row, column }) {
  return `type ${type}, row ${row}, column ${column}`;
}

/**
 * What capsules are told apart by: types on a grid; maps that many were cut from one after
 * another; or nothing, where each stands alone.
 * @typedef {"type" | "map" | "capsule"} Group
 */

/** @param {{ rows: number, columns: number, group?: Group }} grid @returns {Group} */
export const groupOf = ({ rows, columns, group }) =>
  group ?? (rows * columns === 1 ? "capsule" : "type");

/**
 * @param {{ rows: number, columns: number, group?: Group }} grid
 * @param {number} capsule (type * rows + row) * columns + column
 */
export function capsuleInWords(grid, capsule) {
  const position = placeIn(grid, capsule);
  const group = groupOf(grid);
  if (group === "map") return `map ${position.type}, capsule ${position.column}`;
  return group === "type" ? positionWords(position) : `capsule ${capsule}`;
}

/**
 * What capsules vote for.
 * @typedef {object} Above
 * @property {string} title of the layer
 * @property {readonly number[]} grid types, rows, columns; classes have one place each
 * @property {Reach | null} window through which it sees the capsules
 *   below; null: it sees all of them
 * @property {boolean} isClasses
 */

/** @param {Layer} layer whose capsules vote @param {Model} model @returns {Above} */
export function aboveOf({ network, words }, model) {
  const above = network.find(({ id }) => id === words.above);
  if (above === undefined) throw new Error(`there is no layer ${words.above}`);
  const { title, window } = above;
  const isClasses = window === undefined;
  const grid = isClasses ? [model.classes, 1, 1] : above.shapeOf(model, "activation");
  return { title, grid, window: isClasses ? null : window(model), isClasses };
}

/**
 * The positions above whose windows hold a place below, row by row.
 * @param {Pick<Above, "grid" | "window">} above
 * @param {{ row: number, column: number }} voter of a capsule below
 * @returns {{ row: number, column: number }[]} at least one, unless windows miss an edge
 */
export function positionsAbove({ grid: [, rows, columns], window }, voter) {
  return Array.from({ length: rows * columns }, (_, cell) => ({
    row: Math.floor(cell / columns),
    column: cell % columns,
  })).filter((position) => {
    if (window === null) return true;
    const { row, column, size, columns: width = size } = fieldAt(window, position);
    const [down, right] = [voter.row - row, voter.column - column];
    return down >= 0 && down < size && right >= 0 && right < width;
  });
}

/**
 * The capsule above that is meant: the chosen one if it sees the capsule that votes, else
 * that of its type at the first position that does.
 * @param {Above} above @param {Place} from
 * @param {Place} chosen above
 * @returns {Place | null} null where no window reaches
 */
export function meantAbove(above, from, chosen) {
  const positions = positionsAbove(above, from);
  const isSeen = positions.some(
    ({ row, column }) => row === chosen.row && column === chosen.column,
  );
  if (isSeen) return chosen;
  return positions.length === 0 ? null : { type: chosen.type, ...positions[0] };
}
