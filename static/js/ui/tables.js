/** Tables of numbers: the equivalent of a picture. */

import { exactly } from "../lib/decimals.js";
import { make } from "./dom.js";

/**
 * The equivalent of a picture, for reading and for copying.
 * @param {ArrayLike<number>} values row by row; what is not a number is a dash
 * @param {object} options
 * @param {number} options.rows
 * @param {number} options.columns
 * @param {string[]} [options.rowNames] numbers when absent
 * @param {string[]} [options.columnNames]
 * @param {string} [options.corner] what rows and columns are
 * @param {number} [options.decimals]
 * @returns {HTMLTableElement}
 */
export function valueTable(
  values,
  { rows, columns, rowNames, columnNames, corner = "", decimals = 3 },
) {
  const table = make("table", "values");
  const head = table.createTHead().insertRow();
  head.append(header(corner, "col"));
  for (let column = 0; column < columns; column++) {
    head.append(header(columnNames?.[column] ?? String(column), "col"));
  }
  const body = table.createTBody();
  for (let row = 0; row < rows; row++) {
    const line = body.insertRow();
    line.append(header(rowNames?.[row] ?? String(row), "row"));
    for (let column = 0; column < columns; column++) {
      const value = values[row * columns + column];
      line.insertCell().textContent = Number.isNaN(value)
        ? "–"
        : exactly(value, decimals);
    }
  }
  return table;
}

/** @param {string} text @param {"col" | "row"} scope */
function header(text, scope) {
  if (text === "") return make("td");
  return make("th", { scope }, text);
}
