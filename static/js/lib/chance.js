/** Random numbers that Python and JavaScript draw alike: `capsnet_explorer/chance.py`. */

const RANGE = 2 ** 32;

/**
 * Number k is the PCG hash (Jarzynski & Olano 2020) of the seed's hash plus k.
 * @param {number} seed a whole number from 0 to 2^32 − 1
 * @param {number} count
 * @returns {number[]} in 0..1 without 1
 */
export function uniform(seed, count) {
  const first = hash(seed >>> 0);
  return Array.from({ length: count }, (_, k) => hash((first + k) >>> 0) / RANGE);
}

/**
 * The same numbers, without an end.
 * @param {number} seed a whole number from 0 to 2^32 − 1
 * @returns {() => number} each time the next, in 0..1 without 1
 */
export function random(seed) {
  let next = hash(seed >>> 0);
  return () => hash(next++ >>> 0) / RANGE;
}

/** @param {number} value */
function hash(value) {
  const state = (Math.imul(value, 747796405) + 2891336453) >>> 0;
  const word = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737) >>> 0;
  return ((word >>> 22) ^ word) >>> 0;
}
