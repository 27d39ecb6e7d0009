/** Arithmetic on lists of values. */

/**
 * @param {ArrayLike<number>} values
 * @returns {number[]} indices, the largest value first
 */
export function ranked(values) {
  return Array.from({ length: values.length }, (_, i) => i).sort(
    (a, b) => values[b] - values[a],
  );
}

/**
 * @param {ArrayLike<number>} values at least one
 * @returns {number} where the largest stands; the first of equals
 */
export function largestOf(values) {
  let largest = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[largest]) largest = i;
  return largest;
}

/**
 * @param {readonly number[]} values @param {number} value
 * @returns {number} the index of the one nearest to it, the first of equals; −1 of none
 */
export function nearestTo(values, value) {
  const away = values.map((candidate) => Math.abs(candidate - value));
  return away.indexOf(Math.min(...away));
}

/**
 * @param {ArrayLike<number>} values
 * @returns {number} the largest magnitude; 0 of none
 */
export function reach(values) {
  let largest = 0;
  for (let i = 0; i < values.length; i++)
    largest = Math.max(largest, Math.abs(values[i]));
  return largest;
}

/**
 * Invert an order: the place at which each thing stands in it.
 * @param {readonly number[]} order a permutation of 0..n - 1
 * @returns {number[]} placesIn(order)[order[place]] is place
 */
export function placesIn(order) {
  /** @type {number[]} */
  const places = new Array(order.length);
  order.forEach((thing, i) => {
    places[thing] = i;
  });
  return places;
}

/**
 * @param {ArrayLike<number>} after @param {ArrayLike<number>} before
 * @returns {Float32Array} after - before
 */
export function differenceOf(after, before) {
  return Float32Array.from(after, (value, i) => value - before[i]);
}

/** @param {ArrayLike<number>} differences at least one @returns {number} */
export function meanSquare(differences) {
  let sum = 0;
  for (let i = 0; i < differences.length; i++) sum += differences[i] ** 2;
  return sum / differences.length;
}

/** @param {ArrayLike<number>} values */
export function sum(values) {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

/**
 * The parts of a tensor along its first axis, such as the scores of each image.
 * @template {{ subarray(from: number, to: number): any }} Numbers
 * @param {{ shape: readonly number[], data: Numbers & ArrayLike<number> }} tensor
 * @returns {ReturnType<Numbers["subarray"]>[]}
 */
export function rowsOf({ shape: [count], data }) {
  const size = data.length / count;
  return Array.from({ length: count }, (_, i) =>
    data.subarray(i * size, (i + 1) * size),
  );
}

/**
 * A count of values that are known but for an error each.
 * @typedef {object} Count
 * @property {number} count
 * @property {boolean} isSure whether no error could change it
 */

/**
 * How many values are at least so large.
 * @param {ArrayLike<number>} values
 * @param {ArrayLike<number>} errors how far each may be from what it stands for
 * @param {number} least
 * @returns {Count}
 */
export function countFrom(values, errors, least) {
  let count = 0;
  let isSure = true;
  for (let i = 0; i < values.length; i++) {
    if (values[i] >= least) count++;
    if (values[i] - errors[i] < least && values[i] + errors[i] >= least) isSure = false;
  }
  return { count, isSure };
}

/**
 * @param {number} value @param {number} low @param {number} high
 * @returns {number} the value, or the end of low..high that it lies beyond
 */
export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b as many */
export function dot(a, b) {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i] * b[i];
  return total;
}

/** @param {number} degrees */
export const radians = (degrees) => (degrees * Math.PI) / 180;

/**
 * The length of each vector.
 * @param {Float32Array} values vector by vector @param {number} size numbers in one
 */
export const lengthsOf = (values, size) =>
  Array.from({ length: values.length / size }, (_, at) =>
    Math.hypot(...values.subarray(at * size, (at + 1) * size)),
  );
