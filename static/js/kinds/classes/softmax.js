/**
 * Softmax step by step, in a way that no large logit breaks; and the sigmoid; and both as
 * they are written. Pure arithmetic: no DOM, no state.
 */
import { sum } from "../../lib/arithmetic.js";
import { powerOfE, presence } from "../../lib/decimals.js";
import { fixed } from "../../lib/format.js";
import { SHARES as EXACT, POWERS, written } from "../../lib/written.js";

/** Of logits too large to reckon with; of probabilities. */
const [DECIMALS, SHARE_DECIMALS] = [3, 3];

/** Probabilities, written as everywhere. */
const SHARES = { ...EXACT, write: presence };

/** e to a larger power than this is written, and not reckoned with. */
const LARGE = 600;

/**
 * Logits as probabilities, with everything on the way.
 * @typedef {object} Softmax
 * @property {number} largest of the logits, m
 * @property {number} logSum ln Σ e^z = m + ln Σ e^(z − m)
 * @property {number[]} probabilities together they make 1
 */

/** @param {ArrayLike<number>} logits at least one @returns {Softmax} */
export function softmax(logits) {
  const all = Array.from(logits);
  const largest = Math.max(...all);
  const exponentials = all.map((logit) => Math.exp(logit - largest)); // at most 1
  const total = sum(exponentials);
  return {
    largest,
    logSum: largest + Math.log(total),
    probabilities: exponentials.map((exponential) => exponential / total),
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

/** @typedef {readonly number[]} All */

/**
 * All probabilities from powers of e, as they are written.
 * @param {readonly number[]} logits
 * @returns {{ logits: string[], powers: string[], total: string, shares: string[], whole: string }}
 *   whole: the sum of the shares
 */
export function writtenShares(logits) {
  const count = logits.length;
  if (logits.some((logit) => Math.abs(logit) > LARGE)) {
    const { logSum, probabilities } = softmax(logits);
    return {
      logits: logits.map((logit) => fixed(logit, DECIMALS)),
      powers: logits.map((logit) => powerOfE(logit)),
      total: powerOfE(logSum),
      shares: probabilities.map((share) => SHARES.write(share, SHARE_DECIMALS)),
      whole: fixed(1, SHARE_DECIMALS),
    };
  }
  const { inputs, steps } = written(
    logits,
    [
      logits.map((_, k) => (/** @type {All} */ all) => Math.exp(all[k])),
      [(_, powers) => sum(powers)],
      logits.map(
        (_, k) => (/** @type {All} */ _, /** @type {All} */ values) =>
          values[k] / values[count],
      ),
      [(_, values) => sum(values.slice(count + 1))],
    ],
    SHARE_DECIMALS,
    [POWERS, POWERS, SHARES],
  );
  return {
    logits: inputs,
    powers: steps.slice(0, count),
    total: steps[count],
    shares: steps.slice(count + 1, -1),
    whole: steps[steps.length - 1],
  };
}

/** Each probability by itself, as it is written. @param {readonly number[]} logits */
export function writtenSigmoids(logits) {
  const count = logits.length;
  const { inputs, steps, decimals } = written(
    logits.map((logit) => -logit),
    [
      logits.map((_, k) => (/** @type {All} */ all) => Math.exp(all[k])),
      logits.map(
        (_, k) => (/** @type {All} */ _, /** @type {All} */ powers) =>
          1 / (1 + powers[k]),
      ),
    ],
    SHARE_DECIMALS,
    [POWERS, SHARES],
  );
  return {
    opposite: inputs,
    decimals: decimals[0],
    powers: logits.map((logit, k) =>
      Math.abs(logit) > LARGE ? powerOfE(-logit) : steps[k],
    ),
    shares: steps.slice(count),
  };
}
