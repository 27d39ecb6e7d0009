/**
 * What travels in half precision is rounded, so a number that is worked out here differs a
 * little from the network's own. How much rounding explains, and what to say of more.
 */
import { roundingOf } from "./encoding.js";
import { fixed } from "./format.js";

/** Half precision keeps a number to this share of it. */
export const HALF = 2 ** -11;

/** Of what is worked out here and of the network's. */
const CHECK_DECIMALS = 5;

/** Single precision adds up in another order: so much of all that is added. */
const ADDING = 2 ** -18;

/** Of the standard deviation of all roundings together: no sum is further off. */
const DEVIATIONS = 6;

/**
 * How far a sum of products can be from the network's: both factors of each were rounded to
 * half precision, by up to `HALF` of them either way and each by itself, and so was the
 * network's sum.
 * @param {ArrayLike<number>} products
 * @param {number} traced the network's sum
 */
export function roundingOfSum(products, traced) {
  let [squares, sizes] = [0, 0];
  for (let i = 0; i < products.length; i++) {
    squares += products[i] * products[i];
    sizes += Math.abs(products[i]);
  }
  return together(2 * HALF * HALF * squares) + addingUp(sizes) + 2 * roundingOf(traced);
}

/**
 * How far roundings move what they add up to, each up to so much either way and by itself.
 * @param {number} squares of all these, added up
 */
export function together(squares) {
  return DEVIATIONS * Math.sqrt(squares / 3);
}

/** How far a sum in single precision can be off. @param {number} sizes of its terms, added up */
export function addingUp(sizes) {
  return ADDING * sizes;
}

/** The trace says what is worked out here: no second number stands beside the first. */
export const SAME = "The network’s trace says the same, as closely as can be told.";

/**
 * Whether the network's trace says what is worked out here.
 * @param {number} worked @param {number} traced @param {number} most that rounding explains
 * @param {string} cause what came in half precision
 * @returns {string} a sentence
 */
export function checkWords(worked, traced, most, cause) {
  if (Math.abs(traced - worked) <= most) return SAME;
  const [here, there] = [worked, traced].map((value) => fixed(value, CHECK_DECIMALS));
  return `Worked out here: ${here}. The network’s trace says ${there}: ${differenceWords(traced - worked, most, cause)}.`;
}

/**
 * Why a number differs from the trace's.
 * @param {number} difference
 * @param {number} most that rounding explains
 * @param {string} cause what came in half precision
 * @returns {string} the cause; or, where it does not suffice, that something is wrong
 */
export function differenceWords(difference, most, cause) {
  if (Math.abs(difference) <= most) return cause;
  return `half precision explains no more than ${fixed(most, 5)} of the difference. So this is not what the network computed: the layer is described wrongly, or this page reads it wrongly`;
}
