/**
 * Logits as the sums that they are, and softmax step by step, in a way that no large logit
 * breaks. Pure arithmetic: no DOM, no state.
 * @import { Tensor } from "../../types.js"
 */
import { sum } from "../../lib/arithmetic.js";

/** @typedef {Readonly<Record<"weights" | "bias", Tensor>>} Output (classes, units), (classes) */

/**
 * @typedef {object} LogitSum
 * @property {Float64Array} shares (units) weight times value
 * @property {number} bias
 * @property {number} total all shares and the bias
 */

/**
 * What each unit adds to one logit.
 * @param {Output} output
 * @param {ArrayLike<number>} values (units) after ReLU
 * @param {number} digit
 * @returns {Float64Array} (units)
 */
export function givenTo({ weights }, values, digit) {
  const units = weights.shape[1];
  return Float64Array.from(
    { length: units },
    (_, unit) => weights.data[digit * units + unit] * values[unit],
  );
}

/**
 * @param {Output} output
 * @param {ArrayLike<number>} values (units) after ReLU
 * @param {number} digit
 * @returns {LogitSum}
 */
export function logitSum(output, values, digit) {
  const shares = givenTo(output, values, digit);
  const bias = output.bias.data[digit];
  return { shares, bias, total: shares.reduce((total, share) => total + share, bias) };
}

/**
 * What one unit adds to each logit.
 * @param {Pick<Output, "weights">} output
 * @param {number} unit
 * @param {number} value of that unit after ReLU
 * @returns {Float64Array} (classes)
 */
export function givenBy({ weights }, unit, value) {
  const [classes, units] = weights.shape;
  return Float64Array.from(
    { length: classes },
    (_, digit) => weights.data[digit * units + unit] * value,
  );
}

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
