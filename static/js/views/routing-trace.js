/**
 * What the routing view's pictures share: the trace once it is complete, and places in it.
 * @import { AppState, Model, Trace } from "../types.js"
 */
import { sidesOf } from "../geometry/receptive-field.js";
import { sizesOf } from "../state.js";

/** What the pictures need; the trace may lack some for a moment. */
const NEEDED = [
  "routing.logits",
  "routing.couplings",
  "routing.agreement",
  "routing.capsules",
];

/**
 * The trace, once it holds everything that this view draws.
 * @param {Pick<AppState, "trace" | "view">} state
 * @returns {Trace | null} null also while another view is open
 */
export function readyTrace({ trace, view }) {
  const isReady = view === "routing" && trace !== null;
  return isReady && NEEDED.every((name) => name in trace.tensors) ? trace : null;
}

/**
 * Which of the trace's iterations is on show. While a new number of iterations is being
 * computed, the trace may have fewer than are asked for.
 * @param {Trace} trace
 * @param {number} step 1 first
 * @returns {number} 0 first
 */
export function shownStep(trace, step) {
  return Math.min(step, trace.iterations) - 1;
}

/**
 * The capsule of another type that stands where the chosen one does.
 * @param {Model} model
 * @param {number} capsule
 * @param {number} type
 */
export function sameCell(model, capsule, type) {
  const cells = sidesOf(sizesOf(model)).primary ** 2;
  return type * cells + (capsule % cells);
}
