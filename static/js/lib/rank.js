/** Order of values. */

/**
 * @param {ArrayLike<number>} values
 * @returns {number[]} indices, the largest value first
 */
export function ranked(values) {
  return Array.from(values, (_, i) => i).sort((a, b) => values[b] - values[a]);
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
 * Where each of the things in an order stands: the order turned around.
 * @param {readonly number[]} order a permutation of 0..n - 1
 * @returns {number[]} placesIn(order)[order[place]] is place
 */
export function placesIn(order) {
  /** @type {number[]} */
  const places = new Array(order.length);
  order.forEach((thing, place) => {
    places[thing] = place;
  });
  return places;
}
