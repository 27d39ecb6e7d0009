/**
 * Calculations as they are written, so that whoever follows them with a pencil comes out where
 * the page does: each step follows, to its last digit, from the figures that stand there.
 */
import { sum } from "./arithmetic.js";
import { exactShare, powerOfE, rounded, roundedShare } from "./decimals.js";
import { fixed } from "./format.js";

/** No calculation on the page needs more decimals. */
const MOST = 10;

/**
 * How numbers are rounded, and written: with so many decimals, or digits.
 * @typedef {object} Form
 * @property {(value: number, digits: number) => number} round
 * @property {(value: number, digits: number) => string} write what is rounded
 */

/** @type {Form} */
const FIXED = { round: rounded, write: fixed };

/** Shares of 1, of which the smallest keep two digits. @type {Form} */
export const SHARES = { round: roundedShare, write: exactShare };

/** Numbers of any size, with so many digits. @type {Form} */
export const POWERS = {
  round: (value, digits) => Number(value.toPrecision(digits)),
  write: (value, digits) => powerOfE(Math.log(value), digits),
};

/**
 * What follows from the given numbers, and from the steps of the levels below.
 * @typedef {(given: readonly number[], before: readonly number[]) => number} Step
 */

/**
 * @typedef {object} Written
 * @property {string[]} inputs
 * @property {string[]} steps level by level
 * @property {number[]} values of the steps, as they are written
 * @property {number[]} decimals of the given numbers, then of each level
 */

/**
 * Write a calculation with as few decimals as it takes.
 * @param {readonly number[]} inputs exactly
 * @param {readonly (readonly Step[])[]} levels each of steps that follow from what is given and
 *   from the levels before; the last are the results
 * @param {number} decimals of the results; what they follow from has at least as many
 * @param {readonly (Form | undefined)[]} [forms] of the levels, where they are no plain numbers
 * @returns {Written} every step is right to its last digit, and follows from what is written;
 *   where a number lies on the edge between two last digits, it follows only
 */
export function written(inputs, levels, decimals, forms = []) {
  const formOf = (/** @type {number} */ level) => forms[level] ?? FIXED;
  const exact = chain(inputs, levels, (value) => value);
  for (const digits of choices(levels.length, decimals)) {
    const round = (/** @type {number} */ value, /** @type {number} */ level) =>
      formOf(level).round(value, digits[level + 1]);
    const right = exact.map((all, level) => all.map((value) => round(value, level)));
    const from = inputs.map((value) => rounded(value, digits[0]));
    const comesOut = levels.every((steps, level) => {
      const before = right.slice(0, level).flat();
      return steps.every((step, at) =>
        Object.is(round(step(from, before), level), right[level][at]),
      );
    });
    if (comesOut) return asWritten(from, right, digits);
  }
  const most = levels.map((_, level) => (level < levels.length - 1 ? MOST : decimals));
  const from = inputs.map((value) => rounded(value, MOST));
  const follows = chain(from, levels, (value, level) =>
    formOf(level).round(value, most[level]),
  );
  return asWritten(from, follows, [MOST, ...most]);

  /**
   * @param {readonly number[]} numbers @param {readonly (readonly number[])[]} levels
   * @param {readonly number[]} digits
   * @returns {Written}
   */
  function asWritten(numbers, levels, digits) {
    return {
      inputs: numbers.map((value) => fixed(value, digits[0])),
      steps: levels.flatMap((all, level) =>
        all.map((value) => formOf(level).write(value, digits[level + 1])),
      ),
      values: levels.flat(),
      decimals: [...digits],
    };
  }
}

/**
 * @param {readonly number[]} inputs @param {readonly (readonly Step[])[]} levels
 * @param {(value: number, level: number) => number} write
 */
function chain(inputs, levels, write) {
  /** @type {number[][]} */
  const results = [];
  levels.forEach((steps, level) => {
    const before = results.flat();
    results.push(steps.map((step) => write(step(inputs, before), level)));
  });
  return results;
}

/**
 * Decimals to try, the fewest first: none has less than what follows from it.
 * @param {number} levels @param {number} least of the last level
 * @returns {Generator<number[]>} of what is given, then of each level
 */
function* choices(levels, least) {
  for (let more = 0; more <= levels * (MOST - least); more++)
    for (const extra of partitions(more, levels, MOST - least))
      yield [...extra.map((extra) => least + extra), least];
}

/**
 * @param {number} total @param {number} count @param {number} most
 * @returns {Generator<number[]>} so many numbers that add up to it, none more than the one before
 */
function* partitions(total, count, most) {
  if (count === 0) {
    if (total === 0) yield [];
    return;
  }
  for (let first = Math.ceil(total / count); first <= Math.min(total, most); first++)
    for (const rest of partitions(total - first, count - 1, first))
      yield [first, ...rest];
}

/**
 * A product.
 * @param {number} a @param {number} b
 * @param {number} decimals of the product, and at least of the factors
 * @returns {string} such as "0.5 × −0.25 = −0.125"
 */
export function productInWords(a, b, decimals) {
  const { inputs, steps } = written([a, b], [[([a, b]) => a * b]], decimals);
  return `${inputs.join(" × ")} = ${steps[0]}`;
}

/**
 * Parts that add up to their sum.
 * @param {ArrayLike<number>} parts
 * @param {number} decimals of the sum, and at least of the parts
 */
export function addedUp(parts, decimals) {
  const { inputs, steps } = written(Array.from(parts), [[sum]], decimals);
  return { parts: inputs, sum: steps[0] };
}

/**
 * Products, and what they add up to.
 * @param {ArrayLike<number>} a @param {ArrayLike<number>} b as many
 * @param {number} decimals of the sum, and at least of all else
 */
export function sumOfProducts(a, b, decimals) {
  const count = a.length;
  const products = Array.from(
    { length: count },
    (_, i) => (/** @type {readonly number[]} */ all) => all[i] * all[count + i],
  );
  const { inputs, steps } = written(
    [...Array.from(a), ...Array.from(b)],
    [
      products,
      [
        (_, before) => sum(before),
        (all) => sum(products.map((product) => product(all))),
      ],
    ],
    decimals,
  );
  return {
    factors: products.map((_, i) => [inputs[i], inputs[count + i]]),
    products: steps.slice(0, count),
    sum: steps[count],
  };
}
