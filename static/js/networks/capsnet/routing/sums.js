/**
 * Routing's arrays, summed up for pictures, one iteration at a time: only what is shown
 * is computed. Capsules below stand on a grid of (types, rows, columns); arrays over
 * them end with one value for each class. Iterations count from 0 here.
 * @import { Tensor } from "../../../types.js"
 */

/**
 * @typedef {object} ByType one iteration
 * @property {number} types
 * @property {number} classes
 * @property {Float32Array} data (types, classes)
 */

/**
 * The mean coupling of each type's capsules to each class.
 * @param {Tensor} couplings (iterations, types, rows, columns, classes)
 * @param {number} step
 * @returns {ByType} each type's sum to 1 over the classes
 */
export function couplingsByType(couplings, step) {
  const [, , rows, columns] = couplings.shape;
  const share = 1 / (rows * columns);
  return sumByType(couplings, step, () => share);
}

/**
 * What flows from each type to each class: coupling times capsule length, Σ c·‖u‖.
 * @param {Tensor} couplings (iterations, types, rows, columns, classes)
 * @param {Tensor} lengths (types, rows, columns), ‖u‖
 * @param {number} step
 * @returns {ByType} of the same total in every iteration, Σ ‖u‖
 */
export function flowByType(couplings, lengths, step) {
  return sumByType(couplings, step, (capsule) => lengths.data[capsule]);
}

/**
 * @param {Tensor} couplings
 * @param {number} step
 * @param {(capsule: number) => number} weight
 * @returns {ByType}
 */
function sumByType({ shape, data }, step, weight) {
  const [iterations, types, rows, columns, classes] = shape;
  const cells = rows * columns;
  const sums = new Float32Array(types * classes);
  let at = step * (data.length / iterations);
  for (let capsule = 0; capsule < types * cells; capsule++) {
    const to = Math.floor(capsule / cells) * classes;
    const factor = weight(capsule);
    for (let digit = 0; digit < classes; digit++)
      sums[to + digit] += factor * data[at++];
  }
  return { types, classes, data: sums };
}

/**
 * What routing has moved: how much more, or less, flows than with even couplings.
 * @param {ByType} flow
 * @returns {ByType} each type's sum to 0: what one digit gains the others lose
 */
export function movedByType({ types, classes, data }) {
  const moved = new Float32Array(data.length);
  for (let type = 0; type < types; type++) {
    const from = type * classes;
    let sum = 0;
    for (let digit = 0; digit < classes; digit++) sum += data[from + digit];
    const even = sum / classes;
    for (let digit = 0; digit < classes; digit++)
      moved[from + digit] = data[from + digit] - even;
  }
  return { types, classes, data: moved };
}

/**
 * Which share of what a type has goes to each class, beyond an even share.
 * @param {ByType} flow
 * @returns {ByType} share - 1 / classes; 0 for a type that has nothing
 */
export function sharesBeyondEven({ types, classes, data }) {
  const shares = new Float32Array(data.length);
  for (let type = 0; type < types; type++) {
    const from = type * classes;
    let sum = 0;
    for (let digit = 0; digit < classes; digit++) sum += data[from + digit];
    if (sum === 0) continue;
    for (let digit = 0; digit < classes; digit++)
      shares[from + digit] = data[from + digit] / sum - 1 / classes;
  }
  return { types, classes, data: shares };
}

/**
 * Couplings as differences from an even split. Routing starts even and moves away from
 * it, often only a little; the difference is what can be seen.
 * @param {Float32Array} couplings
 * @param {number} classes
 * @returns {Float32Array} c - 1 / classes
 */
export function beyondEven(couplings, classes) {
  return couplings.map((coupling) => coupling - 1 / classes);
}

/**
 * The lengths of the digit capsules after each iteration.
 * @param {Tensor} capsules (iterations, classes, dim), v
 * @returns {number[][]} [class][iteration], ‖v‖ in 0..1
 */
export function lengthsOverIterations({ shape: [iterations, classes, dim], data }) {
  return Array.from({ length: classes }, (_, digit) =>
    Array.from({ length: iterations }, (_, step) => {
      const from = (step * classes + digit) * dim;
      return Math.hypot(...data.subarray(from, from + dim));
    }),
  );
}

/**
 * The values of one capsule below, for each class, in one iteration.
 * @param {Tensor} tensor (iterations, types, rows, columns, classes)
 * @param {number} step
 * @param {number} capsule (type * rows + row) * columns + column
 * @returns {Float32Array} (classes)
 */
export function ofCapsule({ shape, data }, step, capsule) {
  const [iterations, , , , classes] = shape;
  const from = step * (data.length / iterations) + capsule * classes;
  return data.subarray(from, from + classes);
}

/**
 * One class's values over the grid of one type, in one iteration.
 * @param {Tensor} tensor (iterations, types, rows, columns, classes)
 * @param {number} step
 * @param {number} type
 * @param {number} digit
 * @returns {Float32Array} (rows, columns)
 */
export function ofType({ shape, data }, step, type, digit) {
  const [iterations, , rows, columns, classes] = shape;
  const cells = rows * columns;
  const from = step * (data.length / iterations) + type * cells * classes + digit;
  return Float32Array.from({ length: cells }, (_, cell) => data[from + cell * classes]);
}

/**
 * One class's values for every capsule below, in one iteration.
 * @param {Tensor} tensor (iterations, types, rows, columns, classes)
 * @param {number} step
 * @param {number} digit
 * @returns {Float32Array} (capsules)
 */
export function ofDigit({ shape, data }, step, digit) {
  const [iterations, , , , classes] = shape;
  const size = data.length / iterations;
  const values = new Float32Array(size / classes);
  let at = step * size + digit;
  for (let capsule = 0; capsule < values.length; capsule++, at += classes)
    values[capsule] = data[at];
  return values;
}
