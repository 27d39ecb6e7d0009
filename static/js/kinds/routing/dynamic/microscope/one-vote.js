/**
 * One vote on its way through an iteration, sixteen numbers at a time, as they are
 * written on the page: what it adds to its digit, what squash makes of the sum, and how
 * the vote agrees with that.
 * @import { Tensor } from "../../../../types.js"
 */
import { sum } from "../../../../lib/arithmetic.js";
import { fewestDecimals, rounded } from "../../../../lib/decimals.js";
import { roundingOfSum, together } from "../../../../lib/precision.js";
import { written } from "../../../../lib/written.js";
import { lengthBefore, squashedLength } from "../../../capsules/squash.js";

/** Of votes and capsules. */
const DECIMALS = 4;

/** What rounding to so many changes at most. */
const ROUNDED = 10 ** -DECIMALS / 2;

/** Of their products with each other, which are small. */
export const PRODUCT_DECIMALS = 5;

/**
 * The vote of one capsule.
 * @param {Tensor} votes (…, dim) of all capsules for one class @param {number} capsule
 * @returns {Float32Array} û (dim)
 */
export function voteOf({ shape, data }, capsule) {
  const dim = shape[shape.length - 1];
  return data.subarray(capsule * dim, (capsule + 1) * dim);
}

/**
 * @typedef {object} Squash
 * @property {number} before ‖s‖, rounded
 * @property {number} squared its square, as it follows from what is written
 * @property {number} after ‖v‖ = ‖s‖² ∕ (1 + ‖s‖²), as it follows, with `DECIMALS`
 * @property {number} decimals of all but `after`
 */

/**
 * Squash, from its result back: the trace holds v, and s = v · ‖s‖ ∕ ‖v‖.
 * @param {ArrayLike<number>} capsule v
 * @returns {Squash} with as many decimals as it takes to come out
 */
export function squashOf(capsule) {
  const after = Math.hypot(...Array.from(capsule));
  const before = lengthBefore(after);
  const written = rounded(after, DECIMALS);
  /** @param {number} count */
  const steps = (count) => {
    const length = rounded(before, count);
    return { length, squared: rounded(length ** 2, count) };
  };
  const decimals = fewestDecimals(DECIMALS, (count) => {
    const { length, squared } = steps(count);
    const result = rounded(squashedLength(length), DECIMALS);
    return result === written && rounded(squared / (1 + squared), DECIMALS) === written;
  });
  const { length, squared } = steps(decimals);
  return { before: length, squared, after: written, decimals };
}

/**
 * @typedef {object} VoteInFull one number for each dimension, as they are written
 * @property {number[]} vote û
 * @property {number[]} added c·û
 * @property {string} factor ‖v‖ ∕ ‖s‖: what every number of s is multiplied by
 * @property {number[]} total s, the sum of what all capsules add
 * @property {number} decimals of these two, as many as it takes for v to come out
 * @property {number[]} capsule v
 * @property {number[]} products û × v
 * @property {number} sum of the products: the agreement
 * @property {number} most how far the network's can be off, by half precision and by what is
 *   written
 */

/**
 * @param {ArrayLike<number>} vote û
 * @param {number} coupling c, as it is written
 * @param {ArrayLike<number>} capsule v
 * @returns {VoteInFull}
 */
export function voteInFull(vote, coupling, capsule) {
  const votes = Array.from(vote, (value) => rounded(value, DECIMALS));
  const after = Math.hypot(...Array.from(capsule));
  const factor = after === 0 ? 0 : after / lengthBefore(after);
  const { inputs, decimals } = written(
    [factor, ...Array.from(capsule, (value) => (after === 0 ? 0 : value / factor))],
    [
      Array.from(
        capsule,
        (_, d) => (/** @type {readonly number[]} */ all) => all[0] * all[d + 1],
      ),
    ],
    DECIMALS,
  );
  const capsules = Array.from(capsule, (value) => rounded(value, DECIMALS));
  const products = votes.map((value, d) =>
    rounded(value * capsules[d], PRODUCT_DECIMALS),
  );
  const squares = votes.reduce(
    (all, value, d) => all + value * value + capsules[d] * capsules[d],
    products.length, // each is rounded as well, to less
  );
  return {
    vote: votes,
    added: votes.map((value) => rounded(coupling * value, PRODUCT_DECIMALS)),
    factor: inputs[0],
    total: Array.from(capsule, (value) =>
      after === 0 ? 0 : rounded(value / factor, decimals[0]),
    ),
    decimals: decimals[0],
    capsule: capsules,
    products,
    sum: rounded(sum(products), PRODUCT_DECIMALS),
    most:
      roundingOfSum(products, sum(products)) +
      together(ROUNDED * ROUNDED * squares) +
      ROUNDED,
  };
}
