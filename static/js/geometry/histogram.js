/** Counting values into equal bins. Pure arithmetic: no DOM, no state. */

/**
 * @param {ArrayLike<number>} values
 * @param {ArrayLike<number>} weights what each counts
 * @param {{ bins: number, high: number }} options bins from 0 to `high`; what lies beyond
 *   is in the last
 * @returns {Float64Array} (bins) summed weights
 */
export function weightedBins(values, weights, { bins, high }) {
  const sums = new Float64Array(bins);
  for (let i = 0; i < values.length; i++) {
    const bin = Math.min(bins - 1, Math.max(0, Math.floor((values[i] / high) * bins)));
    sums[bin] += weights[i];
  }
  return sums;
}
