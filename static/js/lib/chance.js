/** How far figures from a test set may be off by chance. */

const Z = 1.959964; // of a normal distribution: 95 % lie within so many deviations

/**
 * The 95 % interval of a share, by Wilson's score (Wilson 1927, "Probable Inference, the
 * Law of Succession, and Statistical Inference").
 * @param {number} hits
 * @param {number} trials at least 1
 * @returns {[low: number, high: number]} in 0..1
 */
export function wilsonInterval(hits, trials) {
  const share = hits / trials;
  const shrink = 1 + Z ** 2 / trials;
  const middle = (share + Z ** 2 / (2 * trials)) / shrink;
  const spread = Math.sqrt((share * (1 - share)) / trials + Z ** 2 / (4 * trials ** 2));
  const reach = (Z * spread) / shrink;
  return [Math.max(0, middle - reach), Math.min(1, middle + reach)];
}

/**
 * How probable a difference at least as large is if two readers are equally good: the
 * exact test of McNemar (1947) on the images that only one of them misreads.
 * @param {number} onlyOne images that only the first misreads
 * @param {number} onlyOther images that only the second misreads
 * @returns {number} two-sided, in 0..1
 */
export function mcnemar(onlyOne, onlyOther) {
  const trials = onlyOne + onlyOther;
  let tail = 0;
  let term = 0.5 ** trials; // of no hit among so many tosses of a coin
  for (let hits = 0; hits <= Math.min(onlyOne, onlyOther); hits++) {
    tail += term;
    term *= (trials - hits) / (hits + 1);
  }
  return Math.min(1, 2 * tail);
}
