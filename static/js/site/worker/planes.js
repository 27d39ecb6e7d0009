/**
 * Pictures of one channel, and what `intake/` does to them: `placing.py`, `strokes.py` and
 * `windows.py` have these under the same names.
 * @import { Plane } from "./resize.js"
 */
import { transpose } from "./resize.js";

/** @param {number} rows @param {number} columns @returns {Plane} */
export const empty = (rows, columns) => ({
  rows,
  columns,
  values: new Float32Array(rows * columns),
});

/** @param {Plane} onto @param {Plane} plane @param {number} top @param {number} left */
export function put(onto, { rows, columns, values }, top, left) {
  for (let row = 0; row < rows; row++)
    onto.values.set(
      values.subarray(row * columns, (row + 1) * columns),
      (top + row) * onto.columns + left,
    );
  return onto;
}

/** Cut to the ink. @param {Plane} plane @param {number} threshold @returns {Plane} */
export function crop({ rows, columns, values }, threshold) {
  const least = Math.min(threshold, most(values));
  let [top, left, bottom, right] = [rows, columns, 0, 0];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      if (values[row * columns + column] >= least) {
        [top, bottom] = [Math.min(top, row), Math.max(bottom, row + 1)];
        [left, right] = [Math.min(left, column), Math.max(right, column + 1)];
      }
  const out = empty(bottom - top, right - left);
  for (let row = top; row < bottom; row++)
    out.values.set(
      values.subarray(row * columns + left, row * columns + right),
      (row - top) * out.columns,
    );
  return out;
}

/** The mean width of strokes: twice their area over their perimeter. @param {Plane} ink */
export function thickness({ rows, columns, values }) {
  const at = (/** @type {number} */ row, /** @type {number} */ column) =>
    row < 0 || column < 0 || row >= rows || column >= columns
      ? 0
      : values[row * columns + column];
  let [area, perimeter] = [0, 0];
  for (let row = -1; row < rows; row++)
    for (let column = -1; column < columns; column++) {
      const here = at(row, column);
      area += here;
      perimeter += Math.hypot(at(row + 1, column) - here, at(row, column + 1) - here);
    }
  return (2 * area) / perimeter;
}

/** The largest value in an octagon around each. @param {Plane} plane @param {number} radius */
export function diskMax(plane, radius) {
  const square = roundToEven(0.41 * radius);
  let result = windowMax(plane, square);
  for (let step = square; step < radius; step++) result = grownByOne(result);
  return result;
}

/** @param {Plane} plane @param {number} radius @returns {Plane} */
export function diskMin({ values, ...size }, radius) {
  const turned = diskMax({ ...size, values: values.map((value) => -value) }, radius);
  return { ...size, values: turned.values.map((value) => -value) };
}

/** The largest of each value and its four neighbours. @param {Plane} plane @returns {Plane} */
function grownByOne({ rows, columns, values }) {
  const out = values.slice();
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      if (row > 0) out[at] = Math.max(out[at], values[at - columns]);
      if (row < rows - 1) out[at] = Math.max(out[at], values[at + columns]);
      if (column > 0) out[at] = Math.max(out[at], values[at - 1]);
      if (column < columns - 1) out[at] = Math.max(out[at], values[at + 1]);
    }
  return { rows, columns, values: out };
}

/** The largest value in the square of side 2 · radius + 1 around each. @param {Plane} plane @param {number} radius @returns {Plane} */
export function windowMax(plane, radius) {
  if (radius < 1) return plane;
  return transpose(maxAlongRows(transpose(maxAlongRows(plane, radius)), radius));
}

/** Windows grow twofold, and two of them cover any width. @param {Plane} plane @param {number} radius @returns {Plane} */
function maxAlongRows({ rows, columns, values }, radius) {
  const width = 2 * radius + 1;
  const padded = columns + 2 * radius;
  const out = new Float32Array(values.length);
  const line = new Float32Array(padded);
  for (let row = 0; row < rows; row++) {
    line.fill(Number.NEGATIVE_INFINITY);
    line.set(values.subarray(row * columns, (row + 1) * columns), radius);
    let reach = 1;
    for (; 2 * reach <= width; reach *= 2)
      for (let at = 0; at + reach < padded; at++)
        if (line[at + reach] > line[at]) line[at] = line[at + reach];
    const rest = width - reach;
    for (let column = 0; column < columns; column++)
      out[row * columns + column] = Math.max(line[column], line[column + rest]);
  }
  return { rows, columns, values: out };
}

/** @param {ArrayLike<number>} values */
export function most(values) {
  let greatest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) greatest = Math.max(greatest, values[i]);
  return greatest;
}

/** As NumPy has it: between two values, in proportion. @param {Float32Array} values @param {number} share */
export function quantile(values, share) {
  const sorted = values.slice().sort();
  const rank = share * (sorted.length - 1);
  const [low, beyond] = [Math.floor(rank), rank % 1];
  return sorted[low] + beyond * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

/** As Python rounds. @param {number} value */
export function roundToEven(value) {
  const below = Math.floor(value);
  const beyond = value - below;
  return beyond > 0.5 || (beyond === 0.5 && below % 2 !== 0) ? below + 1 : below;
}
