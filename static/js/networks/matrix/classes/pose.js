/**
 * The pose matrices of the class capsules.
 * @import { Tensor } from "../../../types.js"
 */

export const SIDE = 4;

/**
 * @param {Pick<Tensor, "data">} poses (classes, 4, 4)
 * @param {number} digit
 * @returns {Float32Array} its 16 numbers, row by row
 */
export function poseOf({ data }, digit) {
  return data.subarray(digit * SIDE ** 2, (digit + 1) * SIDE ** 2);
}
