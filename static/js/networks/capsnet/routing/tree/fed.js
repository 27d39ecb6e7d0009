/**
 * What feeds a primary capsule: what each map of Conv1 adds to its length before squash.
 * A capsule's numbers before squash are sums over the maps, s = Σ K a + bias, so its
 * length along its own direction is, too: ‖s‖ = Σ (s/‖s‖)·(K a) + (s/‖s‖)·bias. Every
 * map's share is exact, and negative where the map works against that direction.
 * @import { Contributions } from "../../../../convolution/beneath/contributions.js"
 * @import { DeepKernels, Field } from "../../../../convolution/types.js"
 * @import { Tensor } from "../../../../types.js"
 */
import { contributions } from "../../../../convolution/beneath/contributions.js";
import { ranked } from "../../../../lib/arithmetic.js";

/** Maps that a tree shows. */
export const SHOWN = 6;

/**
 * @typedef {object} Fed
 * @property {number} capsule
 * @property {Contributions} sums what each map adds to ‖s‖
 * @property {number} length ‖s‖, as the trace says
 * @property {number[]} strongest the maps that add most, the first more than the second
 */

/**
 * @param {object} layer
 * @param {Tensor} layer.maps (maps, rows, columns), Conv1 after ReLU
 * @param {Tensor} layer.pre (types, rows, columns, dim), s of all primary capsules
 * @param {DeepKernels} kernels of the capsule's type, one for each of its numbers
 * @param {number} capsule
 * @param {Field} window of the capsule on the maps
 * @returns {Fed | null} null where the capsule has no length
 */
export function fedOf({ maps, pre }, kernels, capsule, window) {
  const dim = pre.shape[3];
  const numbers = pre.data.subarray(capsule * dim, (capsule + 1) * dim);
  const length = Math.hypot(...numbers);
  if (length === 0) return null;
  const direction = Array.from(numbers, (value) => value / length);
  const sums = contributions(maps, alongOf(kernels, direction), 0, window);
  const strongest = ranked(sums.shares)
    .slice(0, SHOWN)
    .filter((map) => sums.shares[map] > 0);
  return { capsule, sums, length, strongest };
}

/**
 * The one kernel that reads what a capsule's kernels read along a direction.
 * @param {DeepKernels} layer
 * @param {readonly number[]} direction of length 1, a number for each kernel
 * @returns {DeepKernels}
 */
function alongOf({ kernels, bias }, direction) {
  const size = kernels.data.length / direction.length;
  const along = new Float32Array(size);
  let offset = 0;
  direction.forEach((weight, number) => {
    const from = number * size;
    for (let i = 0; i < size; i++) along[i] += weight * kernels.data[from + i];
    offset += weight * bias.data[number];
  });
  return {
    kernels: { shape: [1, ...kernels.shape.slice(1)], data: along },
    bias: { shape: [1], data: Float32Array.of(offset) },
  };
}
