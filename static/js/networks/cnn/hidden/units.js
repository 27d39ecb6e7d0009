/**
 * What is true of all hidden units: their values before ReLU, and what each adds to a
 * logit.
 * @import { DeepKernels } from "../../../convolution/types.js"
 * @import { Tensor } from "../../../types.js"
 */

/** Units in a row of their picture; fewer on a narrow screen, where fingers choose. */
export const UNITS_ACROSS = { across: 32, acrossWhenNarrow: 16 };

/**
 * Every unit before ReLU.
 * @param {Tensor} maps (maps, side, side), Pool2
 * @param {DeepKernels} layer its kernels are as large as the maps
 * @returns {Float64Array} (units)
 */
export function unitsBefore(maps, { kernels, bias }) {
  const inputs = maps.data.length;
  return Float64Array.from(bias.data, (sum, unit) => {
    let total = sum;
    const from = unit * inputs;
    for (let i = 0; i < inputs; i++) total += maps.data[i] * kernels.data[from + i];
    return total;
  });
}

/**
 * How many units let anything through.
 * @param {ArrayLike<number>} hidden values after ReLU
 */
export function countActive(hidden) {
  let count = 0;
  for (let i = 0; i < hidden.length; i++) if (hidden[i] > 0) count++;
  return count;
}
