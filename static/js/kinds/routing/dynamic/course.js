/**
 * How routing goes from iteration to iteration: one number each, or one for each class.
 * @import { Tensor } from "../../../types.js"
 */

import { movesOf } from "../../../lib/change.js";
import { exactShare } from "../../../lib/decimals.js";
import { iterationOf, ofClass } from "./sums.js";

/** A coupling that moves by less is said not to move. */
export const MOVE = 0.001;

/**
 * How a coupling is written wherever it is read. Half precision keeps about three digits; the
 * microscope, which calculates with couplings, writes one more.
 * @param {number} share of 1
 */
export const couplingText = (share) => exactShare(share, 3);

/** Which capsules a spread tells of, as shares of all: the least to the most coupled. */
export const QUANTILES = /** @type {const} */ ([0.5, 0.9, 0.99, 1]);

/** @param {Tensor} tensor (iterations, …) @returns {number[]} 0, 1, 2 … */
export const stepsOf = ({ shape }) => Array.from({ length: shape[0] }, (_, i) => i);

/**
 * How the couplings to one class are spread over the capsules below.
 * @param {Tensor} couplings @param {number} classIndex
 * @returns {number[][]} [quantile][iteration], the least coupling that is not below that
 *   of so large a share of the capsules
 */
export function couplingSpread(couplings, classIndex) {
  const sorted = stepsOf(couplings).map((step) =>
    ofClass(couplings, step, classIndex).sort(),
  );
  return QUANTILES.map((share) =>
    sorted.map((values) => values[Math.max(0, Math.ceil(share * values.length) - 1)]),
  );
}

/**
 * How many capsules below have couplings that are not even.
 * @param {Tensor} couplings @param {number} step
 */
export function unevenCapsules(couplings, step) {
  const { classes, data } = iterationOf(couplings, step);
  let count = 0;
  for (let at = 0; at < data.length; at += classes) {
    const shares = data.subarray(at, at + classes);
    if (shares.some((coupling) => Math.abs(coupling - 1 / classes) >= MOVE)) count++;
  }
  return count;
}

/**
 * How many capsules below raise their coupling to one class, and how many lower it, from
 * the iteration before to this one, each by at least 0.001.
 * @param {Tensor} couplings @param {number} classIndex
 * @param {number} step 1 or more
 */
export function couplingMoves(couplings, classIndex, step) {
  const [before, now] = [step - 1, step].map((at) =>
    ofClass(couplings, at, classIndex),
  );
  return { ...movesOf(before, now, MOVE), capsules: now.length };
}
