/**
 * Couplings and votes of each type as a table: what the pictures show, in numbers.
 * @import { CapsNetSizes } from "../types.js"
 * @import { Reading } from "./figures.js"
 */
import { sum } from "../../../lib/arithmetic.js";
import { valueTable } from "../../../ui/tables.js";
import { sumsByType } from "./figures.js";

const COLUMNS = [
  "mean c, kept",
  "mean c, shown",
  "difference",
  "gives to ‖s‖, kept",
  "gives to ‖s‖, shown",
  "difference",
];

/**
 * @param {HTMLElement} root filled
 * @param {readonly Reading[]} readings kept, shown
 * @param {CapsNetSizes} sizes
 */
export function fillTypes(root, [kept, shown], { primary_types: types }) {
  const cells = kept.couplings.length / types;
  const columns = [
    ...compared(
      [kept.couplings, shown.couplings].map((values) =>
        sumsByType(values, types).map((sum) => sum / cells),
      ),
    ),
    ...compared([kept.given, shown.given].map((values) => sumsByType(values, types))),
  ];
  const rows = Array.from({ length: types }, (_, type) =>
    columns.map((column) => column[type]),
  );
  const all = columns.map((column, i) => (i < 3 ? Number.NaN : sum(column)));
  root.replaceChildren(
    valueTable([...rows, all].flat(), {
      rows: types + 1,
      columns: COLUMNS.length,
      rowNames: [...rows.map((_, type) => String(type)), "all: ‖s‖"],
      columnNames: COLUMNS,
      corner: "type",
      decimals: 4,
    }),
  );
}

/** @param {number[][]} pair kept, shown */
function compared([kept, shown]) {
  return [kept, shown, shown.map((value, i) => value - kept[i])];
}
