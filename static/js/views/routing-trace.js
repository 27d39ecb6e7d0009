/**
 * What the routing view's pictures share: the trace once it is complete, what is chosen
 * in it, and places in it.
 * @import { AppState, Model, Trace } from "../types.js"
 * @import { Figures } from "./routing-figures.js"
 */
import { capsulePlace, sidesOf } from "../geometry/receptive-field.js";
import { isIntact } from "../lib/surgery.js";
import { focusedDigit, sizesOf } from "../state.js";
import { figuresOf } from "./routing-figures.js";

/** What the pictures need; the trace may lack some for a moment. */
const NEEDED = [
  "routing.logits",
  "routing.couplings",
  "routing.agreement",
  "routing.capsules",
];

/** What of the state a scene is made of. */
export const SCENE = /** @type {const} */ ([
  "trace",
  "operated",
  "surgery",
  "showsOperated",
  "step",
  "view",
  "digit",
  "capsule",
  "model",
]);

/**
 * @typedef {object} Scene what is on show
 * @property {Trace} trace
 * @property {Model} model
 * @property {Figures} figures
 * @property {number} step 0 first
 * @property {number} digit in focus
 * @property {string} name of that digit
 * @property {number} capsule
 * @property {{ type: number, row: number, column: number }} place where it stands
 */

/**
 * @param {Pick<AppState, typeof SCENE[number]>} state
 * @returns {Scene | null} null before there is anything to draw
 */
export function sceneOf(state) {
  const { model, capsule } = state;
  const trace = readyTrace(state);
  const digit = focusedDigit(state);
  if (trace === null || model === null || digit === null) return null;
  return {
    trace,
    model,
    figures: figuresOf(trace),
    step: shownStep(trace, state.step),
    digit,
    name: model.class_names[digit],
    capsule,
    place: capsulePlace(sizesOf(model), capsule),
  };
}

/**
 * The trace on show, once it holds everything that this view draws: the intact one, or
 * that under surgery where the reader wants to see it.
 * @param {Pick<AppState, "trace" | "operated" | "surgery" | "showsOperated" | "view">} state
 * @returns {Trace | null} null also while another view is open
 */
export function readyTrace({ trace, operated, surgery, showsOperated, view }) {
  const shown = showsOperated && !isIntact(surgery) ? operated : trace;
  const isReady = view === "routing" && shown !== null;
  return isReady && NEEDED.every((name) => name in shown.tensors) ? shown : null;
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
