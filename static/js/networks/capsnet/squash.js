/** Squash (Sabour, Frosst & Hinton 2017, eq. 1): it shortens a vector to less than 1. */

/**
 * The length after squash, ‖s‖² ∕ (1 + ‖s‖²).
 * @param {number} length before, ‖s‖
 */
export function squashedLength(length) {
  return length ** 2 / (1 + length ** 2);
}

/**
 * The length of each vector.
 * @param {ArrayLike<number>} values vector by vector
 * @param {number} size numbers in one vector
 * @returns {Float64Array}
 */
export function lengthsOf(values, size) {
  return Float64Array.from({ length: values.length / size }, (_, vector) => {
    let sum = 0;
    for (let i = vector * size; i < (vector + 1) * size; i++) sum += values[i] ** 2;
    return Math.sqrt(sum);
  });
}
