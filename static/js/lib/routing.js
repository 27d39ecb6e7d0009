/**
 * Routing's arrays, summed up for pictures. Capsules below stand on a grid of
 * (types, rows, columns); arrays over them end with one value for each class.
 * @import { Tensor } from "../types.js"
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
 * @returns {ByType[]} one for each iteration; still sums to 1 over the classes
 */
export function couplingsByType(couplings) {
  const [, , rows, columns] = couplings.shape;
  const share = 1 / (rows * columns);
  return sumByType(couplings, () => share);
}

/**
 * What flows from each type to each class: coupling times capsule length, Σ c·‖u‖.
 * @param {Tensor} couplings (iterations, types, rows, columns, classes)
 * @param {Tensor} lengths (types, rows, columns), ‖u‖
 * @returns {ByType[]} one for each iteration; all have the same total, Σ ‖u‖
 */
export function flowByType(couplings, lengths) {
  return sumByType(couplings, (capsule) => lengths.data[capsule]);
}

/**
 * @param {Tensor} couplings
 * @param {(capsule: number) => number} weight
 * @returns {ByType[]}
 */
function sumByType({ shape, data }, weight) {
  const [iterations, types, rows, columns, classes] = shape;
  const cells = rows * columns;
  let at = 0;
  return Array.from({ length: iterations }, () => {
    const sums = new Float32Array(types * classes);
    for (let capsule = 0; capsule < types * cells; capsule++) {
      const to = Math.floor(capsule / cells) * classes;
      const factor = weight(capsule);
      for (let digit = 0; digit < classes; digit++)
        sums[to + digit] += factor * data[at++];
    }
    return { types, classes, data: sums };
  });
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
 * How undecided the capsules are: the mean entropy of their couplings, as a share of
 * the most there can be (all classes alike).
 * @param {Tensor} couplings (iterations, types, rows, columns, classes)
 * @returns {number[]} in 0..1, one for each iteration
 */
export function indecision({ shape, data }) {
  const [iterations, , , , classes] = shape;
  const size = data.length / iterations;
  const most = Math.log(classes);
  return Array.from({ length: iterations }, (_, step) => {
    let entropy = 0;
    for (let i = step * size; i < (step + 1) * size; i++) {
      if (data[i] > 0) entropy -= data[i] * Math.log(data[i]);
    }
    return entropy / (size / classes) / most;
  });
}

/**
 * The lengths of the digit capsules after each iteration.
 * @param {Tensor} capsules (iterations, classes, dim)
 * @returns {number[][]} [class][iteration], each in 0..1
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
 * @param {number} step 0 first
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
 * @param {number} step 0 first
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
