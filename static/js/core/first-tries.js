/**
 * What to try first in views that several networks have in the same way.
 * @import { AppState, TraceOf } from "../types.js"
 * @import { Edits } from "../lib/edits.js"
 */

import { largestOf, ranked } from "../lib/arithmetic.js";
import { withEdit } from "../lib/edits.js";

/**
 * The class with the second highest score comes into focus.
 * @template {string} Name
 * @param {Name} scores the tensor that holds a score for each class
 */
export function runnerUp(scores) {
  return {
    words: "What does the network say of the runner-up?",
    button: "Focus it",
    at: '[data-rows] [aria-pressed="true"]',
    change(/** @type {{ trace: TraceOf<Name> }} */ { trace }) {
      const [, second] = ranked(trace.tensors[scores].data);
      return second === undefined ? null : { digit: second };
    },
  };
}

/** Steps of a slider, as edits stand in links. */
const DECIMALS = 3;

/**
 * What is read of a state whose poses are decoded.
 * @template {string} Name
 * @typedef {Pick<AppState, "digit"> & { edits: Edits, trace: TraceOf<Name> }} Decoded
 */

/**
 * One number of the decoded pose becomes zero: the largest, so that something is seen.
 * @template {string} Name
 * @param {Name} poses the tensor (classes, …) that holds a pose for each class
 */
export function zeroed(poses) {
  return {
    words: "What does the largest number of the pose draw?",
    button: "Set it to zero",
    at: ".is-edited input",
    change(/** @type {Decoded<Name>} */ { digit: chosen, edits, trace }) {
      const digit = chosen ?? trace.prediction;
      const { shape, data } = trace.tensors[poses];
      const count = data.length / shape[0];
      const pose = data.subarray(digit * count, (digit + 1) * count);
      const place = largestOf(pose.map(Math.abs));
      const difference = Number((-pose[place]).toFixed(DECIMALS)) + 0; // never -0
      return { edits: withEdit(edits, { digit, place, difference, count }) };
    },
  };
}
