/**
 * Routing's arrays, summed up for pictures, one iteration at a time: only what is shown is
 * computed. Capsules below stand on a grid of (types, rows, columns); arrays over them end
 * with one value for each class, or for each end where output goes. Iterations count from 0
 * here.
 *
 * Where a class capsule's length comes from: with s = Σ c·û and v along s, the length before
 * squash is ‖s‖ = Σ c·(û·v) / ‖v‖, a sum over the capsules below. What each of them gives,
 * or takes away, adds up to the whole.
 * @import { Tensor } from "../../../types.js"
 * @import { RoutedTensors } from "./types.js"
 */
import { sum } from "../../../lib/arithmetic.js";
import { giftsIn } from "../../../lib/statistics.js";

/**
 * One iteration of an array over the capsules below.
 * @param {Tensor} tensor (iterations, types, rows, columns, classes), or (iterations,
 *   capsules, classes)
 * @param {number} step
 */
export function iterationOf({ shape, data }, step) {
  const [iterations, types] = shape;
  const [classes] = shape.slice(-1);
  const size = data.length / iterations;
  const values = data.subarray(step * size, (step + 1) * size);
  const capsules = size / classes;
  return { types, cells: capsules / types, capsules, classes, data: values };
}

/**
 * Couplings as differences from an even split. Routing starts even and moves away from
 * it, often only a little; the difference is what can be seen.
 * @param {Float32Array} couplings @param {number} classes
 * @returns {Float32Array} c - 1 / classes
 */
export function beyondEven(couplings, classes) {
  return couplings.map((coupling) => coupling - 1 / classes);
}

/**
 * The lengths of the class capsules after each iteration.
 * @param {Tensor} capsules (iterations, classes, dim), v
 * @returns {number[][]} [class][iteration], ‖v‖ in 0..1
 */
export function lengthsOverIterations(capsules) {
  const [iterations, classes] = capsules.shape;
  return Array.from({ length: classes }, (_, classIndex) =>
    Array.from({ length: iterations }, (_, step) =>
      Math.hypot(...poseAt(capsules, step, classIndex)),
    ),
  );
}

/**
 * @param {Tensor} capsules (iterations, classes, dim)
 * @param {number} step @param {number} classIndex
 * @returns {Float32Array} v (dim) of one class
 */
export function poseAt({ shape: [, classes, dim], data }, step, classIndex) {
  const from = (step * classes + classIndex) * dim;
  return data.subarray(from, from + dim);
}

/**
 * The values of one capsule below, for each class, in one iteration.
 * @param {Tensor} tensor @param {number} step
 * @param {number} capsule (type * rows + row) * columns + column
 * @returns {Float32Array} (classes)
 */
export function ofCapsule(tensor, step, capsule) {
  const { classes, data } = iterationOf(tensor, step);
  return data.subarray(capsule * classes, (capsule + 1) * classes);
}

/**
 * One class's values for every capsule below, in one iteration.
 * @param {Tensor} tensor @param {number} step @param {number} classIndex
 * @returns {Float32Array} (capsules)
 */
export function ofClass(tensor, step, classIndex) {
  const { classes, capsules, data } = iterationOf(tensor, step);
  const values = new Float32Array(capsules);
  for (let i = 0; i < capsules; i++) values[i] = data[i * classes + classIndex];
  return values;
}

/**
 * What each capsule below gives to the length of one class.
 * @param {Pick<RoutedTensors, "couplings" | "agreement" | "capsules">} routing
 * @param {number} step @param {number} classIndex
 * @returns {Float32Array} (capsules below); sums to ‖s‖
 */
export function evidenceOfCapsules(
  { couplings, agreement, capsules },
  step,
  classIndex,
) {
  const length = Math.hypot(...poseAt(capsules, step, classIndex));
  const agreements = ofClass(agreement, step, classIndex);
  // Of no length: no votes at all, so nothing gives anything.
  return ofClass(couplings, step, classIndex).map((coupling, i) =>
    length === 0 ? 0 : (coupling * agreements[i]) / length,
  );
}

/**
 * Which share of all length goes to one end.
 * @param {Tensor} couplings each capsule's sum to 1
 * @param {Tensor} lengths (types, rows, columns), ‖u‖
 * @param {number} step @param {number} end
 * @returns {number} Σ c·‖u‖ ∕ Σ ‖u‖, NaN where there is no length
 */
export function shareOfEnd(couplings, { data: lengths }, step, end) {
  const sent = ofClass(couplings, step, end).map(
    (coupling, i) => coupling * lengths[i],
  );
  return sum(sent) / sum(lengths);
}

/**
 * @param {ArrayLike<number>} evidence what each capsule gives, type by type
 * @param {number} types
 * @returns {Float64Array} (types) shares of all that capsules add, negative where a type takes
 *   more away; all 0 where nothing is added
 */
export function sharesByType(evidence, types) {
  const cells = evidence.length / types;
  const sums = new Float64Array(types);
  for (let i = 0; i < evidence.length; i++) sums[Math.floor(i / cells)] += evidence[i];
  const { added } = giftsIn(evidence);
  return sums.map((part) => (added === 0 ? 0 : part / added));
}
