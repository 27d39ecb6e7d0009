/**
 * What of two readings is compared: numbers of a capsule, couplings, votes, by type.
 * @import { TraceOf } from "../../../types.js"
 */
import { evidenceOfCapsules, ofDigit } from "../../../kinds/routing/dynamic/sums.js";

/**
 * @typedef {TraceOf<"routing.couplings" | "routing.agreement" | "routing.capsules">} ComparedTrace
 */

/**
 * What the last iteration makes of one class.
 * @typedef {object} Reading
 * @property {Float32Array} couplings (capsules below) c
 * @property {Float32Array} agreement (capsules below) û·v
 * @property {Float32Array} given (capsules below) c·(û·v)/‖v‖, which sums to ‖s‖
 */

/**
 * @param {ComparedTrace} trace
 * @param {number} digit
 * @returns {Reading}
 */
export function readingOf({ tensors }, digit) {
  const couplings = tensors["routing.couplings"];
  const agreement = tensors["routing.agreement"];
  const capsules = tensors["routing.capsules"];
  const last = couplings.shape[0] - 1;
  return {
    couplings: ofDigit(couplings, last, digit),
    agreement: ofDigit(agreement, last, digit),
    given: evidenceOfCapsules({ couplings, agreement, capsules }, last, digit),
  };
}

/**
 * @param {ArrayLike<number>} values (types × cells)
 * @param {number} types
 * @returns {number[]} (types)
 */
export function sumsByType(values, types) {
  const cells = values.length / types;
  return Array.from({ length: types }, (_, type) => {
    let sum = 0;
    for (let i = type * cells; i < (type + 1) * cells; i++) sum += values[i];
    return sum;
  });
}

/** Of all values lies below the end of a scale that clips. */
const USUAL = 0.99;

/**
 * Where a scale may end so that few values lie beyond.
 * @param {ArrayLike<number>} values at least one
 * @returns {number} the magnitude below which 99 in 100 lie; the largest where that is 0,
 *   and 1 where all are 0
 */
export function usualReach(values) {
  const sorted = Float64Array.from(values, Math.abs).sort();
  const usual = sorted[Math.floor(USUAL * (sorted.length - 1))];
  return usual || sorted[sorted.length - 1] || 1;
}
