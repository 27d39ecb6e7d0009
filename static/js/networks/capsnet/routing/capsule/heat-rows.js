/**
 * Rows of values as tinted cells with the numbers in them: a picture and its table in one.
 * @import { Scale } from "../../../../lib/color.js"
 * @import { CellText } from "../../../../ui/tables.js"
 */
import { color, cssColor, readableOn } from "../../../../lib/color.js";

/**
 * @param {ArrayLike<number>} values
 * @param {object} options
 * @param {Scale | null} options.scale null for numbers without a tint
 * @param {(value: number) => string} options.format
 * @param {(place: number) => string} options.term
 * @param {(place: number) => string} [options.partOf]
 * @returns {CellText[]}
 */
export function heatCells(values, { scale, format, term, partOf }) {
  return Array.from(values, (value, place) => ({
    text: format(value),
    term: term(place),
    ...(partOf && { partOf: partOf(place) }),
    ...(scale && {
      color: cssColor(scale, value),
      ink: readableOn(color(scale, value)),
    }),
  }));
}

/**
 * A table's head that numbers its columns from 1.
 * @param {HTMLTableSectionElement} head
 * @param {{ corner: string, count: number, after?: readonly string[] }} options corner: of
 *   the rows' names; after: names of further columns
 */
export function numberColumns(head, { corner, count, after = [] }) {
  const names = [
    corner,
    ...Array.from({ length: count }, (_, i) => String(i + 1)),
    ...after,
  ];
  if (head.rows[0]?.cells.length === names.length) return;
  const row = document.createElement("tr");
  row.append(
    ...names.map((name) => {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = name;
      return cell;
    }),
  );
  head.replaceChildren(row);
}
