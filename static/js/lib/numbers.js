/**
 * The numbers behind pictures: who draws a picture keeps them with its element, and who saves
 * it asks for them.
 */

/**
 * @typedef {object} Table
 * @property {string} [title] what it is of, where a picture has several
 * @property {readonly string[]} head a name for each column
 * @property {readonly (readonly (string | number)[])[]} rows
 */

/** @type {WeakMap<object, () => readonly Table[]>} */
const kept = new WeakMap();

/**
 * @param {object} picture its element, or one around it
 * @param {() => readonly Table[]} tables what it shows whenever this is called
 */
export function keepNumbers(picture, tables) {
  kept.set(picture, tables);
}

/** @param {object} picture @returns {(() => readonly Table[]) | undefined} none: no numbers are known of it */
export const numbersOf = (picture) => kept.get(picture);

/**
 * Values of rows and columns: a row of the table for each of them.
 * @param {readonly string[]} head what rows are, what columns are, what a value is
 * @param {ArrayLike<number>} values row by row
 * @param {number | readonly string[]} columns how many, or their names
 * @param {readonly string[]} [rows] their names; numbers from 0 when absent
 * @returns {Table}
 */
export function gridTable(head, values, columns, rows) {
  const across = typeof columns === "number" ? columns : columns.length;
  const nameOf = (
    /** @type {typeof rows | number} */ names,
    /** @type {number} */ at,
  ) => (typeof names === "object" ? names[at] : at);
  return {
    head,
    rows: Array.from(values, (value, at) => [
      nameOf(rows, Math.floor(at / across)),
      nameOf(columns, at % across),
      value,
    ]),
  };
}

const DIGITS = 9; // tell all numbers of single precision apart
const FORMULA = /^[=+\-@\t\r]/; // what spreadsheets would compute
const QUOTED = /[",\n\r#]/;

/**
 * Tables as a file for spreadsheets and programs: comma-separated (RFC 4180), lines that begin
 * with # before each table.
 * @param {readonly Table[]} tables @param {string} line what the numbers are of
 */
export function csv(tables, line) {
  const blocks = tables.map(({ title, head, rows }) => [
    ...(title ? [noteOf(title)] : []),
    ...[head, ...rows].map((row) => row.map(cellOf).join(",")),
  ]);
  return [[noteOf(line)], ...blocks].map((lines) => `${lines.join("\n")}\n`).join("\n");
}

/** @param {string} text */
const noteOf = (text) => `# ${text.replace(/\s+/g, " ")}`;

/** @param {string | number} value */
function cellOf(value) {
  if (typeof value === "number")
    return Number.isNaN(value) ? "" : String(Number(value.toPrecision(DIGITS)));
  const text = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
