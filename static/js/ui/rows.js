/** Filling the body of a table again and again: only what differs is written. */

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
 * @param {HTMLTableSectionElement} body
 * @param {readonly RowText[]} rows
 */
export function fillRows(body, rows) {
  while (body.rows.length > rows.length) body.deleteRow(-1);
  while (body.rows.length < rows.length) {
    const head = document.createElement("th");
    head.scope = "row";
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
 * What stands in each cell: asking this is much cheaper than asking the page.
 * @type {WeakMap<HTMLTableCellElement, CellText>}
 */
const written = new WeakMap();

/** @type {CellText} */
const EMPTY = { text: "" };

/**
 * @param {HTMLTableCellElement} cell
 * @param {CellText} shown
 */
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
 * @param {HTMLTableCellElement} cell
 * @param {string} name
 * @param {string | undefined} value absent to take it away
 */
function mark(cell, name, value) {
  if (value === undefined) cell.removeAttribute(name);
  else cell.setAttribute(name, value);
}
