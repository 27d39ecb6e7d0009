/**
 * How unlike its training digits a network finds an image: the measures of
 * `model/measuring/outliers/measures.py`.
 */
import { ranked } from "./rank.js";

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

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
function product(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
