/**
 * What to try first in views that several networks have in the same way.
 * @import { TraceOf } from "../types.js"
 */

import { ranked } from "../lib/arithmetic.js";

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
