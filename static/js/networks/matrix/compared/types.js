/**
 * What each type of Caps2 capsules assigns to a class as a table: what the pictures show,
 * in numbers.
 * @import { Reading } from "./figures.js"
 */
import { sum } from "../../../lib/arithmetic.js";
import { valueTable } from "../../../ui/tables.js";
import { sumsByType } from "./figures.js";

const COLUMNS = [
  "mean R, kept",
  "mean R, shown",
  "difference",
  "Σ R·a, kept",
  "Σ R·a, shown",
  "difference",
];

/**
 * @param {HTMLElement} root filled
 * @param {readonly Reading[]} readings kept, shown
 * @param {number} types
 */
export function fillTypes(root, readings, types) {
  const rows = rowsOf(readings, types);
  root.replaceChildren(
    valueTable(rows.flat(), {
      rows: rows.length,
      columns: COLUMNS.length,
      rowNames: [...rows.slice(1).map((_, type) => String(type)), "all"],
      columnNames: COLUMNS,
      corner: "type",
      decimals: 4,
    }),
  );
}

/**
 * @param {readonly Reading[]} readings kept, shown
 * @param {number} types
 * @returns {number[][]} a row for each type, and one for all
 */
export function rowsOf([kept, shown], types) {
  const cells = kept.assignments.length / types;
  const means = [kept, shown].map(({ assignments }) => [
    ...sumsByType(assignments, types).map((sum) => sum / cells),
    sum(assignments) / assignments.length,
  ]);
  const sums = [kept, shown].map(({ given }) => [
    ...sumsByType(given, types),
    sum(given),
  ]);
  return means[0].map((_, row) =>
    [means, sums].flatMap(([was, is]) => [was[row], is[row], is[row] - was[row]]),
  );
}
