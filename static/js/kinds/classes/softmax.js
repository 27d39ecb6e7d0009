/**
 * Softmax step by step, in a way that no large logit breaks; and the sigmoid. Pure
 * arithmetic: no DOM, no state.
 */
import { sum } from "../../lib/arithmetic.js";

/**
 * Logits as probabilities, with everything on the way.
 * @typedef {object} Softmax
 * @property {number} largest of the logits, m
 * @property {number[]} exponentials e^(z − m) for each: at most 1, so none overflows
 * @property {number} sum of these: 1 or more
 * @property {number} logSum ln Σ e^z = m + ln Σ e^(z − m)
 * @property {number[]} probabilities each exponential over the sum; together they make 1
 */

/**
 * @param {ArrayLike<number>} logits at least one
 * @returns {Softmax}
 */
export function softmax(logits) {
  const all = Array.from(logits);
  const largest = Math.max(...all);
  const exponentials = all.map((logit) => Math.exp(logit - largest));
  const total = sum(exponentials);
  return {
    largest,
    exponentials,
    sum: total,
    logSum: largest + Math.log(total),
    probabilities: exponentials.map((each) => each / total),
  };
}

/**
 * The probability of a class that is decided on by itself.
 * @param {number} logit
 * @returns {number} 1 / (1 + e^−z); 0 where e^−z is beyond a double
 */
export function sigmoid(logit) {
  return 1 / (1 + Math.exp(-logit));
}
