/**
 * What figures from a test set are worth, and how unlike the training images an image
 * is.
 */
import { ranked, sum } from "./arithmetic.js";

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

// How unlike its training digits a network finds an image.

/** Squared ink; keeps an empty image's ratios finite. */
const LEAST_INK = 1;

/**
 * One image and what a network made of it.
 * @typedef {object} Answer
 * @property {ArrayLike<number>} ink of the image, 0..1
 * @property {ArrayLike<number> | null} reconstruction as long, 0..1; null where the network
 *   has no decoder
 * @property {ArrayLike<number>} scores one for each class
 */

/** @typedef {"error" | "relative" | "angle" | "score" | "gap"} MeasureName */

/** @type {Readonly<Record<MeasureName, (answer: Answer) => number>>} */
const MEASURES = {
  error: (answer) => squaredError(answer) / answer.ink.length,
  relative: (answer) =>
    squaredError(answer) / Math.max(product(answer.ink, answer.ink), LEAST_INK),
  angle(answer) {
    const { ink, reconstruction } = answer;
    const decoded = reconstruction ?? [];
    const norms = Math.sqrt(product(ink, ink) * product(decoded, decoded));
    return 1 - product(ink, decoded) / Math.max(norms, LEAST_INK);
  },
  score: ({ scores }) => 1 - scores[ranked(scores)[0]],
  gap({ scores }) {
    const [first, second] = ranked(scores);
    return 1 - (scores[first] - scores[second]);
  },
};

const OF_RECONSTRUCTION = /** @type {readonly string[]} */ ([
  "error",
  "relative",
  "angle",
]);

/**
 * Whether a measure compares the image with its reconstruction.
 * @param {string} name
 */
export function needsReconstruction(name) {
  return OF_RECONSTRUCTION.includes(name);
}

/**
 * @param {string} name of a measure, as a card says it
 * @param {Answer} answer
 * @returns {number | null} larger is less like a digit; null where the measure is not known,
 *   or its reconstruction is missing
 */
export function measureOutlier(name, answer) {
  if (!(name in MEASURES)) return null;
  if (needsReconstruction(name) && answer.reconstruction === null) return null;
  return MEASURES[/** @type {MeasureName} */ (name)](answer);
}

/** @param {Answer} answer */
function squaredError({ ink, reconstruction }) {
  const decoded = reconstruction ?? [];
  let sum = 0;
  for (let i = 0; i < ink.length; i++) sum += (ink[i] - decoded[i]) ** 2;
  return sum;
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function product(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Of all that adds to a sum, what the fewest terms are asked to add. */
const MOST = 0.9;

/** Single-precision sums of equal amounts must not need one term more. */
const ROUNDING = 1e-6;

/**
 * What a sum comes from. A share of what is left after some terms have taken from it could be
 * more than all, so shares are of what is added.
 * @typedef {object} Gifts
 * @property {number} added by all terms above zero
 * @property {number} taken by all terms below zero; not negative
 * @property {number[]} few the fewest terms that add nine tenths of it, the largest first
 * @property {number} total what these add
 * @property {number} largest what the largest adds; 0 where nothing is added
 * @property {boolean} isSure whether these are the fewest beyond what half precision can change
 */

/**
 * Of a product of two numbers in half precision, the largest share that their rounding can
 * change. Of a sum over hundreds it is less, as roundings go either way.
 */
const LOST = 2 ** -10;

/** @param {ArrayLike<number>} terms @returns {Gifts} */
export function giftsIn(terms) {
  const all = Array.from(terms);
  const added = sum(all.filter((term) => term > 0));
  const taken = -sum(all.filter((term) => term < 0)) || 0;
  /** @type {number[]} */
  const few = [];
  let total = 0;
  for (const i of ranked(all)) {
    if (!(all[i] > 0) || total >= (MOST - ROUNDING) * added) break;
    total += all[i];
    few.push(i);
  }
  const largest = few.length > 0 ? all[few[0]] : 0;
  return {
    added,
    taken,
    few,
    total,
    largest,
    isSure: isClearCut(all, few, added, total),
  };
}

/**
 * Whether no rounding can have chosen other terms: nine tenths are not reached, nor missed
 * without the last of them, by a hair; and none of the others adds about as much as that.
 * @param {readonly number[]} all @param {readonly number[]} few @param {number} added
 * @param {number} total
 */
function isClearCut(all, few, added, total) {
  if (few.length === 0) return true;
  const last = all[few[few.length - 1]];
  const chosen = new Set(few);
  const next = Math.max(0, ...all.filter((_, i) => !chosen.has(i)));
  const beyond = total - MOST * added;
  const hair = (LOST / 2) * added;
  return beyond > hair && last - beyond > hair && last - next > 2 * LOST * last;
}
