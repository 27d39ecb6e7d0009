/**
 * How far each number of a capsule may be moved, and the steps of a sweep through that.
 * All is in differences from the network's own value: 0 is where it stands.
 */
import { roundedEdit } from "./pose.js";

/** What a slider spans to either side where the model's card says nothing. */
export const FALLBACK = 0.3;

/** Sliders move by whole ones of these, so that 0 can be reached. */
export const EDIT_STEP = 0.001;

/** @typedef {{ low: number, high: number }} EditRange differences; low <= 0 <= high */

/**
 * @param {readonly [number, number] | undefined} used what the test set uses, as values
 * @param {number} original the network's own value
 * @param {number} edit the present difference; the range includes it
 * @returns {EditRange} never empty, ends on whole steps
 */
export function editRange(used, original, edit) {
  const isKnown = used !== undefined && used[1] > used[0];
  const [low, high] = isKnown ? used : [original - FALLBACK, original + FALLBACK];
  return widened(
    {
      low: outward(Math.min(low - original, 0), Math.floor),
      high: outward(Math.max(high - original, 0), Math.ceil),
    },
    edit,
  );
}

/**
 * @param {EditRange} range
 * @param {number} edit
 * @returns {EditRange} that holds the edit too
 */
export function widened(range, edit) {
  return { low: Math.min(range.low, edit), high: Math.max(range.high, edit) };
}

/**
 * Where a difference stands on its slider.
 * @param {EditRange} range
 * @param {number} difference
 * @returns {number} in 0..1, left to right
 */
export function shareOf({ low, high }, difference) {
  return (difference - low) / (high - low);
}

/**
 * Equal steps from end to end.
 * @param {EditRange} range
 * @param {number} count at least 2
 * @returns {number[]} differences
 */
export function sweepSteps({ low, high }, count) {
  return Array.from({ length: count }, (_, i) =>
    roundedEdit(low + (i / (count - 1)) * (high - low)),
  );
}

/**
 * The capsules of a sweep sheet: each moves one number only, the others stay as edited.
 * @param {readonly number[]} original
 * @param {readonly number[]} pose with its edits
 * @param {readonly (readonly number[])[]} steps [dimension] differences
 * @returns {number[][]} dimension by dimension, each step by step
 */
export function sweepPoses(original, pose, steps) {
  return steps.flatMap((differences, dimension) =>
    differences.map((difference) =>
      pose.with(dimension, original[dimension] + difference),
    ),
  );
}

/**
 * @param {number} difference
 * @param {(value: number) => number} round away from 0
 */
function outward(difference, round) {
  const slack = 1e-6 * Math.sign(difference); // 0.3 / 0.001 is 299.99999999999994
  return roundedEdit(round(difference / EDIT_STEP - slack) * EDIT_STEP);
}
