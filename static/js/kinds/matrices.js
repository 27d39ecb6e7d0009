/** Poses that are matrices, as those of matrix capsules. */
import { whole } from "../core/schema.js";

/** Rows, and columns, of a pose matrix. */
export const SIDE = 4;

/** Numbers in a pose matrix. */
export const POSE = SIDE ** 2;

/** Where a number stands in its matrix. @param {number} entry row by row */
export const entryPlace = (entry) => ({
  row: Math.floor(entry / SIDE),
  column: entry % SIDE,
});

/** @param {{ row: number, column: number }} place */
export const entryAt = ({ row, column }) => row * SIDE + column;

/** Which number of a matrix is in focus; the layers of a network share it. */
export const entryField = () => whole({ link: "entry", most: POSE - 1 });
