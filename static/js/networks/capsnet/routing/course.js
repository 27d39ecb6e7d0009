/**
 * How routing goes from iteration to iteration: one number each, or one for each class.
 * @import { Tensor } from "../../../types.js"
 */

/**
 * How far the votes for each class agree with what became of it.
 * @param {Tensor} agreement (iterations, types, rows, columns, classes), û·v
 * @returns {number[][]} [class][iteration], Σ û·v over all capsules below
 */
export function agreementOverIterations({ shape, data }) {
  const [iterations, , , , classes] = shape;
  const size = data.length / iterations;
  const sums = Array.from({ length: classes }, () =>
    Array.from({ length: iterations }, () => 0),
  );
  for (let step = 0; step < iterations; step++) {
    for (let at = step * size; at < (step + 1) * size; at += classes) {
      for (let digit = 0; digit < classes; digit++)
        sums[digit][step] += data[at + digit];
    }
  }
  return sums;
}

/**
 * How decided the capsules below are: how far the mean entropy of their couplings has
 * fallen from the most there can be, log2(classes), where all classes are alike.
 * @param {Tensor} couplings (iterations, types, rows, columns, classes)
 * @returns {number[]} bits, one for each iteration: 0 when even, log2(classes) when each
 *   capsule sends all to one class
 */
export function decidedness({ shape, data }) {
  const [iterations, , , , classes] = shape;
  const size = data.length / iterations;
  return Array.from({ length: iterations }, (_, step) => {
    // Summed as differences from even, so that small ones are not lost to rounding.
    let bits = 0;
    for (let i = step * size; i < (step + 1) * size; i++) {
      if (data[i] > 0) bits += data[i] * Math.log2(data[i] * classes);
    }
    return Math.max(0, bits / (size / classes));
  });
}

/** Which capsules a spread tells of, as shares of all: the least to the most coupled. */
export const QUANTILES = /** @type {const} */ ([0.5, 0.9, 0.99, 1]);

/**
 * How the couplings to one class are spread over the capsules below.
 * @param {Tensor} couplings (iterations, types, rows, columns, classes)
 * @param {number} digit
 * @returns {number[][]} [quantile][iteration], the least coupling that is not below that
 *   of so large a share of the capsules
 */
export function couplingSpread({ shape, data }, digit) {
  const [iterations, , , , classes] = shape;
  const size = data.length / iterations;
  const values = new Float32Array(size / classes);
  /** @type {number[][]} */
  const spread = QUANTILES.map(() => []);
  for (let step = 0; step < iterations; step++) {
    for (let i = 0; i < values.length; i++)
      values[i] = data[step * size + i * classes + digit];
    values.sort();
    QUANTILES.forEach((share, i) => {
      spread[i].push(values[Math.max(0, Math.ceil(share * values.length) - 1)]);
    });
  }
  return spread;
}

/**
 * The capsule below with the largest coupling to one class; the first of several.
 * @param {Tensor} couplings (iterations, types, rows, columns, classes)
 * @param {number} digit
 * @param {number} step 0 first
 */
export function mostCoupled({ shape, data }, digit, step) {
  const [iterations, , , , classes] = shape;
  const size = data.length / iterations;
  const from = step * size + digit;
  let best = 0;
  for (let i = 1; i < size / classes; i++)
    if (data[from + i * classes] > data[from + best * classes]) best = i;
  return best;
}

/** A coupling that moves by less is said not to move: half precision is finer than this. */
export const MOVE = 0.001;

/**
 * How many capsules below have couplings that are not even.
 * @param {Tensor} couplings (iterations, types, rows, columns, classes)
 * @param {number} step
 */
export function unevenCapsules({ shape, data }, step) {
  const [iterations, , , , classes] = shape;
  const size = data.length / iterations;
  let count = 0;
  for (let at = step * size; at < (step + 1) * size; at += classes) {
    const own = data.subarray(at, at + classes);
    if (own.some((coupling) => Math.abs(coupling - 1 / classes) >= MOVE)) count++;
  }
  return count;
}

/**
 * How many capsules below raise their coupling to one class, and how many lower it, from
 * the iteration before to this one, each by at least 0.001.
 * @param {Tensor} couplings (iterations, types, rows, columns, classes)
 * @param {number} digit
 * @param {number} step 1 or more
 */
export function couplingMoves({ shape, data }, digit, step) {
  const [iterations, , , , classes] = shape;
  const size = data.length / iterations;
  let [raised, lowered] = [0, 0];
  for (let at = step * size + digit; at < (step + 1) * size; at += classes) {
    const move = data[at] - data[at - size];
    if (move >= MOVE) raised++;
    else if (move <= -MOVE) lowered++;
  }
  return { raised, lowered, capsules: size / classes };
}
