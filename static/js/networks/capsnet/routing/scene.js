/**
 * What the pictures of routing share: the run on show, what is chosen in it, and places
 * in it. While a run under surgery is on its way, the scene before stays.
 * @import { CapsModel, OperatedTrace, RoutedLook, RoutedTrace, RoutingState, RoutingStore, Surgery } from "../types.js"
 * @import { Trace } from "../../../types.js"
 * @import { Figures } from "./figures.js"
 */

import { holds } from "../../../core/rooms.js";
import { createScenes } from "../../../core/scenes.js";
import { focusedDigit } from "../../../core/state.js";
import { PICTURED } from "../answers/surgery.js";
import { capsulePlace, sidesOf } from "../places.js";
import { sizesOf } from "../state.js";
import { figuresOf } from "./figures.js";
import { isIntact, NO_SURGERY } from "./surgery/changes.js";

/**
 * @typedef {object} Scene what is on show
 * @property {RoutedTrace} trace intact, or under surgery where the reader wants to see it
 * @property {Trace["tensors"]} more its tensors that may be there: they come on request
 * @property {Surgery} ran what it was run under
 * @property {Trace} intact the run without surgery
 * @property {Surgery} surgery what is to be changed
 * @property {CapsModel} model
 * @property {Figures} figures
 * @property {number} iterations of the run
 * @property {number} step 0 first
 * @property {number} digit in focus
 * @property {string} name of that digit
 * @property {number} capsule
 * @property {boolean} followsStrongest nobody has chosen that capsule: of the intact run it
 *   gives the most to the digit in focus
 * @property {{ type: number, row: number, column: number }} place where it stands
 * @property {RoutedLook} routed how all this is looked at
 */

/** What makes another scene of it. */
const KEYS = /** @type {const} */ ([
  "trace",
  "surgery",
  "model",
  "step",
  "digit",
  "capsule",
  "followsStrongest",
  "routed",
]);

/**
 * @param {RoutingStore} store
 * @returns what is on show, for all pictures of routing
 */
export function scenesOf(store) {
  return createScenes(store, sceneOf, KEYS);
}

/** @typedef {ReturnType<typeof scenesOf>} Scenes */

/**
 * @param {RoutingState} state
 * @returns {Scene | null} null while the run under surgery is on its way
 */
function sceneOf(state) {
  const { model, capsule, surgery, routed } = state;
  const run = runOf(state);
  if (run === null) return null;
  const { trace, ran } = run;
  const [iterations] = trace.tensors["routing.couplings"].shape;
  const digit = focusedDigit(state);
  return {
    trace,
    more: trace.tensors,
    ran,
    intact: state.trace,
    surgery,
    model,
    figures: figuresOf(run),
    iterations,
    // While a new number of iterations is computed, there may be fewer than are asked for.
    step: Math.min(state.step, iterations) - 1,
    digit,
    name: model.class_names[digit],
    capsule,
    followsStrongest: state.followsStrongest,
    place: capsulePlace(sizesOf(model), capsule),
    routed,
  };
}

/**
 * @param {RoutingState} state
 * @returns {{ trace: RoutedTrace, ran: Surgery } | null}
 */
function runOf({ trace, operated, surgery, showsOperated, model }) {
  if (!showsOperated || isIntact(surgery)) return { trace, ran: NO_SURGERY };
  return isComplete(operated, model)
    ? { trace: operated, ran: operated.surgery }
    : null;
}

/**
 * @param {OperatedTrace | null} run
 * @param {CapsModel} model
 * @returns {run is OperatedTrace & RoutedTrace}
 */
function isComplete(run, model) {
  return holds(run, model, PICTURED);
}

/**
 * The capsule of another type that stands where the chosen one does.
 * @param {CapsModel} model
 * @param {number} capsule
 * @param {number} type
 */
export function sameCell(model, capsule, type) {
  const cells = sidesOf(sizesOf(model)).primary ** 2;
  return type * cells + (capsule % cells);
}
