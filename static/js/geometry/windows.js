/**
 * Windows that layers read through, one over another: where a unit's window lies, and which
 * part of the input it sees.
 * @import { Field } from "../types.js"
 */

/**
 * The same number for rows and columns, or one for either.
 * @typedef {number | readonly [rows: number, columns: number]} Pair
 */

/**
 * How much a unit of a layer sees of what lies below, and how far apart neighbours look.
 * @typedef {object} Reach
 * @property {Pair} size rows, and columns, of what it sees
 * @property {Pair} step from one unit's window to the next
 * @property {Pair} [first] the row, and column, where the first window begins: 0 when absent,
 *   negative where what is read is padded
 */

/** What a pixel sees of itself. @type {Reach} */
export const ITSELF = { size: 1, step: 1, first: 0 };

/** @typedef {{ row: number, column: number }} Place */

/** @param {Pair} pair @returns {readonly [rows: number, columns: number]} */
export const bothOf = (pair) => (typeof pair === "number" ? [pair, pair] : pair);

/** @param {readonly [rows: number, columns: number]} pair @returns {Pair} */
const joined = ([rows, columns]) => (rows === columns ? rows : [rows, columns]);

/**
 * What a window sees of the input. It widens what lies beneath by all but one of its cells,
 * each as far apart as the units beneath.
 * @param {Reach} window in units of the layer below
 * @param {Reach} beneath what such a unit sees
 * @returns {Reach}
 */
export function through({ size, step, first = 0 }, beneath) {
  const [sizes, steps, firsts] = [size, step, first].map(bothOf);
  const [under, apart, start] = [beneath.size, beneath.step, beneath.first ?? 0].map(
    bothOf,
  );
  return {
    size: joined([
      under[0] + (sizes[0] - 1) * apart[0],
      under[1] + (sizes[1] - 1) * apart[1],
    ]),
    step: joined([apart[0] * steps[0], apart[1] * steps[1]]),
    first: joined([start[0] + firsts[0] * apart[0], start[1] + firsts[1] * apart[1]]),
  };
}

/**
 * What units see that see what several others do, side by side, with the same step.
 * @param {readonly Reach[]} several
 * @returns {Reach}
 */
export function hull(several) {
  const [{ step }] = several;
  const [rows, columns] = [0, 1].map((axis) => {
    const starts = several.map(({ first = 0 }) => bothOf(first)[axis]);
    const ends = several.map(({ size }, i) => starts[i] + bothOf(size)[axis]);
    return {
      first: Math.min(...starts),
      size: Math.max(...ends) - Math.min(...starts),
    };
  });
  return {
    size: joined([rows.size, columns.size]),
    step,
    first: joined([rows.first, columns.first]),
  };
}

/**
 * Where the window of a unit lies, padding included.
 * @param {Reach} reach @param {Place} unit
 * @returns {Field}
 */
export function fieldAt({ size, step, first = 0 }, { row, column }) {
  const [sizes, steps, firsts] = [size, step, first].map(bothOf);
  return {
    row: firsts[0] + row * steps[0],
    column: firsts[1] + column * steps[1],
    size: sizes[0],
    ...(sizes[0] !== sizes[1] && { columns: sizes[1] }),
  };
}

/**
 * The part of a field that lies in a picture.
 * @param {Field} field @param {{ rows: number, columns: number }} picture
 * @returns {Field | null} null where none does: it sees padding alone
 */
export function within({ row, column, size, columns = size }, picture) {
  const [top, left] = [Math.max(0, row), Math.max(0, column)];
  const height = Math.min(row + size, picture.rows) - top;
  const width = Math.min(column + columns, picture.columns) - left;
  if (height <= 0 || width <= 0) return null;
  const visible = { row: top, column: left, size: height };
  return width === height ? visible : { ...visible, columns: width };
}

/** Such as "9×9". @param {Field} field */
export const sizeWords = ({ size, columns = size }) => `${size}×${columns}`;

/** The size of every window, such as "9×9". @param {Reach} reach */
export const reachWords = (reach) => sizeWords(fieldAt(reach, { row: 0, column: 0 }));

/** Such as "rows 0–8, columns 4–12". @param {Field} field */
export function spanWords({ row, column, size, columns = size }) {
  const span = (/** @type {number} */ from, /** @type {number} */ count) =>
    `${minus(from)}–${minus(from + count - 1)}`;
  return `rows ${span(row, size)}, columns ${span(column, columns)}`;
}

/**
 * What is said of a window that reaches beyond the edges.
 * @param {Field} field @param {{ rows: number, columns: number }} picture
 */
export function paddingWords(field, picture) {
  const visible = within(field, picture);
  const isWhole = visible !== null && sizeWords(visible) === sizeWords(field);
  return isWhole ? "" : "; what lies outside is padding, all zeros";
}

/** @param {number} at */
const minus = (at) => String(at).replace("-", "−");
