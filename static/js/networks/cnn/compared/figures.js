/** What of two readings is compared: which hidden units are active, and what differs. */
import { ranked } from "../../../lib/arithmetic.js";

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
 * @param {ArrayLike<number>} kept
 * @param {ArrayLike<number>} shown
 * @param {number} count
 * @returns {number[]} the units whose values differ the most, those first
 */
export function mostDifferent(kept, shown, count) {
  return ranked(Array.from(shown, (value, unit) => Math.abs(value - kept[unit]))).slice(
    0,
    count,
  );
}

/**
 * @param {{ both: number, kept: number, shown: number, none: number }} counts
 */
export function activeWords({ both, kept, shown, none }) {
  const units = both + kept + shown + none;
  return `Of ${units} units, ${both} ${both === 1 ? "is" : "are"} above 0 for both images, ${kept} for the kept image only, ${shown} for the shown one only, and ${none} for neither.`;
}
