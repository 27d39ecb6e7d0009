/** Small images for tests, drawn with characters. */
import { STAY } from "../../../../static/js/lab/parts/arrangement.js";

/**
 * @param {string} text rows of `#` for full ink, `+` for half, digits for tenths and
 *   anything else for none; rows without ink may be left out at the end
 * @returns {{ ink: Float64Array, side: number }}
 */
export function drawn(text) {
  const rows = text
    .split("\n")
    .map((row) => row.trim())
    .filter((row) => row !== "");
  const of = { "#": 1, "+": 0.5 };
  const ink = rows.flatMap((row) =>
    [...row].map((mark) => of[mark] ?? (/\d/.test(mark) ? Number(mark) / 10 : 0)),
  );
  const side = rows[0].length;
  return { ink: Float64Array.from({ length: side ** 2 }, (_, i) => ink[i] ?? 0), side };
}

/**
 * @param {ArrayLike<number>} values
 * @param {number} side
 */
export function drawing(values, side) {
  const marks = Array.from(values, (value) => (value === 0 ? "." : "#"));
  return Array.from({ length: side }, (_, row) =>
    marks.slice(row * side, (row + 1) * side).join(""),
  );
}

/** @param {ArrayLike<number>} values */
export const total = (values) =>
  Array.from(values).reduce((sum, value) => sum + value, 0);

/** Every piece of a cut where it was. */
export const unmoved = ({ pieces }) => pieces.map(() => STAY);
