/**
 * The units of two images: which are active, and which differ the most.
 * @import { DenseState } from "./types.js"
 * @import { ComparisonMount } from "../types.js"
 */
import { ranked, reach } from "../../lib/arithmetic.js";
import { sequential } from "../../lib/color.js";
import { findElement, setText } from "../../ui/dom.js";
import { pictureTriple } from "../../ui/pictures.js";
import { pairTable } from "../../ui/tables.js";
import { unitsAcross } from "./units.js";

const LISTED = 16; // units

/** @type {ComparisonMount<DenseState>} */
export function mount(root, store) {
  const words = findElement(root, "[data-units-words]");
  const most = findElement(root, "[data-most]");
  const units = pictureTriple(
    findElement(root, "[data-units]"),
    "Values of all hidden units",
  );
  const rows = pairTable(findElement(root, "[data-unit-rows]"), {
    caption: "Hidden units that differ the most",
    of: "unit",
  });

  store.watch(["trace", "keptTrace"], (state) => {
    const [kept, shown] = [state.keptTrace, state.trace].map(
      ({ tensors }) => tensors.values.data,
    );
    const largest = Math.max(reach(kept), reach(shown)) || 1;
    const cells = { count: kept.length, rows: 1, columns: 1, gap: 0 };
    setText(words, activeWords(countActive(kept, shown)));
    units.show({
      ...{ kept, shown },
      layout: { ...cells, across: unitsAcross(cells, false) },
      scale: sequential(0, largest),
      unit: "value after ReLU",
    });
    const listed = mostDifferent(kept, shown, LISTED);
    setText(most, String(listed.length));
    rows.show(
      listed.map((unit) => ({
        name: String(unit),
        kept: kept[unit],
        shown: shown[unit],
      })),
      { reach: largest },
    );
  });
}

/**
 * @param {ArrayLike<number>} kept units after ReLU
 * @param {ArrayLike<number>} shown
 * @returns {{ both: number, kept: number, shown: number, none: number }} how many are
 *   above 0 for both images, for one alone, for none
 */
export function countActive(kept, shown) {
  const counts = { both: 0, kept: 0, shown: 0, none: 0 };
  for (let unit = 0; unit < kept.length; unit++) {
    const [was, is] = [kept[unit] > 0, shown[unit] > 0];
    counts[was && is ? "both" : was ? "kept" : is ? "shown" : "none"]++;
  }
  return counts;
}

/**
 * @param {ArrayLike<number>} kept @param {ArrayLike<number>} shown
 * @param {number} count
 * @returns {number[]} the units whose values differ the most, those first
 */
export function mostDifferent(kept, shown, count) {
  const differences = Array.from(shown, (value, i) => Math.abs(value - kept[i]));
  return ranked(differences).slice(0, count);
}

/** @param {ReturnType<typeof countActive>} counts */
export function activeWords({ both, kept, shown, none }) {
  const units = both + kept + shown + none;
  return `Of ${units} units, ${both} ${both === 1 ? "is" : "are"} above 0 for both images, ${kept} for the kept image only, ${shown} for the shown one only, and ${none} for neither.`;
}
