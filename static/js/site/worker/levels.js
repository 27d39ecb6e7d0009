/**
 * Histograms of grey levels, and how much of each pixel is ink: `intake/levels.py` and
 * `threshold.py` have these under the same names.
 * @import { Plane } from "./resize.js"
 */
import { most } from "./planes.js";

const LAST = 255; // of the bins
const NOISE_DEVIATIONS = 4;
const DEVIATION_PER_MAD = 1.4826;
export const FAINTEST = 0.05;
const MUCH = 0.35;
const SPARSE = 0.2;
const CORE = 0.4;

/** @typedef {Float64Array} Counts of levels in 256 bins */

/** @param {Float32Array} values @returns {Counts} */
export function histogram(values) {
  const counts = new Float64Array(LAST + 1);
  for (const value of values) counts[Math.floor(value * LAST + 0.5)]++;
  return counts;
}

/** @param {Counts} counts */
export const sumOf = (counts) => counts.reduce((sum, count) => sum + count, 0);

/** The level that a share of what was counted does not exceed. @param {Counts} counts @param {number} share */
export function levelAt(counts, share) {
  const wanted = share * sumOf(counts);
  let [sum, bin] = [counts[0], 0];
  while (sum < wanted && bin < LAST) sum += counts[++bin];
  return bin / LAST;
}

/** The level that splits counts into the two tightest classes: `otsu_threshold`. @param {Counts} counts */
export function otsu(counts) {
  const all = sumOf(counts);
  const whole = counts.reduce((sum, count, bin) => sum + (count * bin) / LAST, 0);
  let [below, sumBelow] = [0, 0];
  const variances = counts.map((count, bin) => {
    below += count;
    sumBelow += (count * bin) / LAST;
    const above = all - below;
    if (below === 0 || above === 0) return 0;
    return below * above * (sumBelow / below - (whole - sumBelow) / above) ** 2;
  });
  const least = most(variances) * (1 - 1e-9);
  const best = [...variances.keys()].filter((bin) => variances[bin] >= least);
  return best.reduce((sum, bin) => sum + bin, 0) / best.length / LAST;
}

/**
 * The share of each pixel that ink covers, where the paper is even.
 * @param {Plane} contrast @param {number | null} [chosen] where strokes begin
 * @returns {{ ink: Plane, level: number, start: number }} level: of full ink, 0 for none;
 *   start: of that level, above which a pixel certainly belongs to a stroke
 */
export function cover(contrast, chosen = null) {
  const { level, noise } = inkLevel(histogram(contrast.values));
  if (level === 0) return { ink: contrast, level, start: CORE };
  let floor = Math.min(noise, 0.5 * level);
  const automatic = Math.max(floor / level, CORE);
  const start = chosen ?? automatic;
  floor +=
    start < automatic ? floor * (start / automatic - 1) : (start - automatic) * level;
  const range = Math.fround(level - floor);
  const values = contrast.values.map((value) =>
    Math.min(Math.max((value - floor) / range, 0), 1),
  );
  return { ink: { ...contrast, values }, level, start };
}

/** The contrast of full ink, 0 for none, and of the paper's noise. @param {Counts} counts */
export function inkLevel(counts) {
  const noise = noiseFloor(paperOf(counts));
  const upper = above(counts, Math.floor(Math.max(noise, FAINTEST) * LAST));
  if (most(upper) === 0) return { level: 0, noise };
  const strong = above(upper, Math.floor(otsu(upper) * LAST));
  return { level: levelAt(most(strong) > 0 ? strong : upper, 0.5), noise };
}

/** @param {Counts} counts @param {number} last bin that counts no more */
const above = (counts, last) => counts.map((count, bin) => (bin > last ? count : 0));

/** The counts of the paper alone, if ink fills much of the picture. @param {Counts} counts */
function paperOf(counts) {
  const split = otsu(counts);
  if (levelAt(counts, 1 - MUCH) <= split) return counts;
  const ink = above(counts, Math.floor(split * LAST));
  const paper = counts.map((count, bin) => count - ink[bin]);
  const isMost = levelAt(counts, 0.5) > split;
  return isMost || areApart(paper, ink, counts) ? paper : counts;
}

/** Whether hardly any pixel lies between two classes. @param {Counts} paper @param {Counts} ink @param {Counts} all */
function areApart(paper, ink, all) {
  const [low, high] = [levelAt(paper, 0.5), levelAt(ink, 0.5)];
  const [middle, reach] = [(low + high) / 2, (high - low) / 4];
  const between = all.slice(
    ...[middle - reach, middle + reach].map((level) => Math.round(level * LAST)),
  );
  return sumOf(between) < SPARSE * sumOf(all);
}

/** The level that the paper's noise does not exceed. @param {Counts} counts */
function noiseFloor(counts) {
  const median = levelAt(counts, 0.5);
  const distances = counts.map((_, bin) => Math.abs(bin / LAST - median));
  const order = [...counts.keys()].sort((a, b) => distances[a] - distances[b] || a - b);
  const half = sumOf(counts) / 2;
  let [sum, index] = [counts[order[0]], 0];
  while (sum < half) sum += counts[order[++index]];
  return median + NOISE_DEVIATIONS * DEVIATION_PER_MAD * distances[order[index]];
}
