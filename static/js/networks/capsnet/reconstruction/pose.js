/**
 * The vectors of capsules: their numbers, their lengths, their edits.
 * @import { Tensor } from "../../../types.js"
 */

/** What an edit is rounded to; a link keeps no more. */
const EDIT_DECIMALS = 3;

/**
 * @param {Tensor} capsules (classes, dim)
 * @param {number} digit
 * @returns {number[]} dim of them
 */
export function poseOf({ shape: [, dim], data }, digit) {
  return Array.from(data.subarray(digit * dim, (digit + 1) * dim));
}

/**
 * @param {readonly number[]} pose
 * @param {readonly number[] | undefined} differences none when absent
 * @returns {number[]}
 */
export function editedPose(pose, differences) {
  return pose.map((value, dimension) => value + (differences?.[dimension] ?? 0));
}

/** @param {readonly number[]} pose */
export function lengthOf(pose) {
  return Math.hypot(...pose);
}

/** @param {number} difference */
export function roundedEdit(difference) {
  return Number(difference.toFixed(EDIT_DECIMALS)) + 0; // never -0
}
