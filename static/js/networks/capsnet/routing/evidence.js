/**
 * Where a digit capsule's length comes from. With s = Σ c·û and v along s, the length
 * before squash is ‖s‖ = Σ c·(û·v) / ‖v‖, a sum over the capsules below: what each of
 * them gives, or takes away, adds up to the whole.
 * @import { Tensor } from "../../../types.js"
 */

const NOBODY = { voters: 0, largest: 0 };

/**
 * What each capsule below gives to the length of one class.
 * @param {object} routing
 * @param {Tensor} routing.couplings (iterations, types, rows, columns, classes), c
 * @param {Tensor} routing.agreement (iterations, types, rows, columns, classes), û·v
 * @param {Tensor} routing.capsules (iterations, classes, dim), v
 * @param {number} step 0 first
 * @param {number} digit
 * @returns {Float32Array} (capsules below); sums to ‖s‖
 */
export function evidenceOfCapsules({ couplings, agreement, capsules }, step, digit) {
  const [iterations, , , , classes] = couplings.shape;
  const size = couplings.data.length / iterations;
  const length = lengthAt(capsules, step, digit);
  const evidence = new Float32Array(size / classes);
  if (length === 0) return evidence; // no votes at all, so nothing gives anything
  let at = step * size + digit;
  for (let i = 0; i < evidence.length; i++, at += classes)
    evidence[i] = (couplings.data[at] * agreement.data[at]) / length;
  return evidence;
}

/**
 * What each place gives to the length of each class: all types that stand there.
 * @param {object} routing
 * @param {Tensor} routing.couplings
 * @param {Tensor} routing.agreement
 * @param {Tensor} routing.capsules
 * @param {number} step 0 first
 * @returns {Float32Array} (classes, rows, columns); each class's sum to its ‖s‖
 */
export function evidenceByPlace({ couplings, agreement, capsules }, step) {
  const [iterations, types, rows, columns, classes] = couplings.shape;
  const cells = rows * columns;
  const sums = new Float32Array(classes * cells);
  let at = step * (couplings.data.length / iterations);
  for (let capsule = 0; capsule < types * cells; capsule++) {
    const cell = capsule % cells;
    for (let digit = 0; digit < classes; digit++, at++)
      sums[digit * cells + cell] += couplings.data[at] * agreement.data[at];
  }
  for (let digit = 0; digit < classes; digit++) {
    const length = lengthAt(capsules, step, digit);
    for (let i = digit * cells; i < (digit + 1) * cells; i++)
      sums[i] = length > 0 ? sums[i] / length : 0;
  }
  return sums;
}

/**
 * How many capsules share in what is given to a class: (Σw)² / Σw² over those that give
 * something, which is n where n give equally.
 * @param {Float32Array} evidence what each capsule gives; negative takes away
 * @returns {{ voters: number, largest: number }} their effective number, and the largest
 *   share of one; both 0 where nobody gives anything
 */
export function sharersOf(evidence) {
  let [sum, squares, most] = [0, 0, 0];
  for (const given of evidence) {
    if (given <= 0) continue;
    sum += given;
    squares += given ** 2;
    most = Math.max(most, given);
  }
  return sum > 0 ? { voters: sum ** 2 / squares, largest: most / sum } : NOBODY;
}

/**
 * @param {Tensor} capsules (iterations, classes, dim)
 * @param {number} step
 * @param {number} digit
 * @returns {number} ‖v‖
 */
function lengthAt({ shape: [, classes, dim], data }, step, digit) {
  const from = (step * classes + digit) * dim;
  let squares = 0;
  for (let i = from; i < from + dim; i++) squares += data[i] ** 2;
  return Math.sqrt(squares);
}
