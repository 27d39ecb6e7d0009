/**
 * Tables of numbers: the equivalent of a picture, and a body filled again and again.
 */

import { fixed } from "../lib/format.js";
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
        : fixed(value, decimals);
    }
  }
  return table;
}

/** @param {string} text @param {"col" | "row"} scope */
function header(text, scope) {
  if (text === "") return make("td");
  return make("th", { scope }, text);
}

/**
 * @typedef {object} CellText
 * @property {string} text
 * @property {string} [term] what it shows; see linked-terms.js
 * @property {string} [partOf] what it is a part of
 * @property {string} [color] behind the text, for CSS
 * @property {string} [ink] of the text, on that colour
 */

/**
 * @typedef {object} RowText
 * @property {CellText} head
 * @property {CellText[]} cells
 * @property {boolean} [isFocused]
 */

/**
 * Fill the body of a table; only what differs from before is written.
 * @param {HTMLTableSectionElement} body @param {readonly RowText[]} rows
 */
export function fillRows(body, rows) {
  while (body.rows.length > rows.length) body.deleteRow(-1);
  while (body.rows.length < rows.length) {
    const head = make("th", { scope: "row" });
    body.insertRow().append(head);
  }
  rows.forEach(({ head, cells, isFocused = false }, i) => {
    const row = body.rows[i];
    while (row.cells.length > cells.length + 1) row.deleteCell(-1);
    while (row.cells.length < cells.length + 1) row.insertCell();
    row.classList.toggle("is-focused", isFocused);
    const places = row.cells;
    fillCell(places[0], head);
    cells.forEach((cell, j) => {
      fillCell(places[j + 1], cell);
    });
  });
}

/**
 * The content of each cell; reading it here is much cheaper than from the page.
 * @type {WeakMap<HTMLTableCellElement, CellText>}
 */
const written = new WeakMap();

/** @type {CellText} */
const EMPTY = { text: "" };

/** @param {HTMLTableCellElement} cell @param {CellText} shown */
function fillCell(cell, shown) {
  const before = written.get(cell) ?? EMPTY;
  written.set(cell, shown);
  if (before.text !== shown.text) cell.textContent = shown.text;
  if (before.term !== shown.term) mark(cell, "data-term", shown.term);
  if (before.partOf !== shown.partOf) mark(cell, "data-part-of", shown.partOf);
  if (before.color !== shown.color) cell.style.backgroundColor = shown.color ?? "";
  if (before.ink !== shown.ink) cell.style.color = shown.ink ?? "";
}

/**
 * @param {HTMLTableCellElement} cell @param {string} name
 * @param {string | undefined} value absent to take it away
 */
function mark(cell, name, value) {
  if (value === undefined) cell.removeAttribute(name);
  else cell.setAttribute(name, value);
}
