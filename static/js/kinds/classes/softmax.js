/**
 * Softmax step by step, in a way that no large logit breaks; and the sigmoid; and both as
 * they are written. Pure arithmetic: no DOM, no state.
 */
import { sum } from "../../lib/arithmetic.js";
import { powerOfE } from "../../lib/decimals.js";
import { fixed } from "../../lib/format.js";
import { POWERS, SHARES, written } from "../../lib/written.js";

/** Of logits, and digits of powers; of probabilities. */
const [DECIMALS, SHARE_DECIMALS] = [3, 4];

/** e to a larger power than this is written, and not reckoned with. */
const LARGE = 600;

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

/** @typedef {readonly number[]} All */

/**
 * The probability of one class from powers of e, as it is written.
 * @param {readonly number[]} logits @param {number} at of the class
 * @returns {{ logit: string, powers: string[], total: string, share: string, decimals: number }}
 */
export function writtenPowers(logits, at) {
  if (logits.some((logit) => Math.abs(logit) > LARGE)) {
    const { logSum } = softmax(logits);
    return {
      ...{ logit: fixed(logits[at], DECIMALS), decimals: DECIMALS },
      ...{ powers: logits.map((logit) => powerOfE(logit)), total: powerOfE(logSum) },
      share: SHARES.write(Math.exp(logits[at] - logSum), SHARE_DECIMALS),
    };
  }
  const count = logits.length;
  const { given, steps, decimals } = written(
    logits,
    [
      logits.map((_, k) => (/** @type {All} */ all) => Math.exp(all[k])),
      [(_, powers) => sum(powers)],
      [(_, found) => found[at] / found[count]],
    ],
    SHARE_DECIMALS,
    [POWERS, POWERS, SHARES],
  );
  return {
    ...{ logit: given[at], decimals: decimals[0], powers: steps.slice(0, count) },
    ...{ total: steps[count], share: steps[count + 1] },
  };
}

/**
 * All probabilities by way of what the largest logit leaves, as they are written.
 * @param {readonly number[]} logits
 */
export function writtenShares(logits) {
  const count = logits.length;
  const largest = Math.max(...logits);
  const each = logits.map((_, k) => k);
  const { steps, decimals } = written(
    [...logits, largest],
    [
      each.map((k) => (/** @type {All} */ all) => all[k] - all[count]),
      each.map(
        (k) => (/** @type {All} */ _, /** @type {All} */ found) => Math.exp(found[k]),
      ),
      [(_, found) => sum(found.slice(count))],
      each.map(
        (k) => (/** @type {All} */ _, /** @type {All} */ found) =>
          found[count + k] / found[2 * count],
      ),
      [(_, found) => sum(found.slice(2 * count + 1))],
    ],
    SHARE_DECIMALS,
    [undefined, SHARES, undefined, SHARES],
  );
  return {
    decimals: decimals[0],
    apart: steps.slice(0, count),
    exponentials: steps.slice(count, 2 * count),
    sum: steps[2 * count],
    shares: steps.slice(2 * count + 1, -1),
    whole: steps[steps.length - 1],
  };
}

/**
 * Each probability by itself, as it is written.
 * @param {readonly number[]} logits
 */
export function writtenSigmoids(logits) {
  const count = logits.length;
  const { given, steps, decimals } = written(
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
    opposite: given,
    decimals: decimals[0],
    powers: logits.map((logit, k) =>
      Math.abs(logit) > LARGE ? powerOfE(-logit) : steps[k],
    ),
    shares: steps.slice(count),
  };
}
