/**
 * The arrows of two digits in numbers.
 * @import { Told } from "./words.js"
 */
import { valueTable } from "../../../../ui/tables.js";

/**
 * @param {readonly Told[]} both at least one
 * @returns {HTMLTableElement}
 */
export function tableOfArrows(both) {
  const rows = both.flatMap(({ arrows, name, step }) =>
    arrows.capsules.map((capsule, i) => ({
      name: `capsule ${capsule} for ${name}`,
      values: [
        arrows.lengths[i],
        arrows.tips[2 * i],
        arrows.tips[2 * i + 1],
        arrows.agreement[step][i],
        ...arrows.couplings.map((couplings) => couplings[i]),
      ],
    })),
  );
  const iterations = both[0].arrows.couplings.length;
  return valueTable(
    rows.flatMap(({ values }) => values),
    {
      rows: rows.length,
      columns: 4 + iterations,
      rowNames: rows.map(({ name }) => name),
      columnNames: [
        "‖û‖",
        "across",
        "up",
        "û·v",
        ...Array.from(
          { length: iterations },
          (_, step) => `c in iteration ${step + 1}`,
        ),
      ],
      corner: "vote",
    },
  );
}
