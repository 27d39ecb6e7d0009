/**
 * What the pictures of routing share: the routing on show, the iteration, the capsule
 * above and the capsule below in focus, and sums that several of them need.
 * @import { MatrixModel, Place, RoutingState, RoutingStore } from "../types.js"
 * @import { Routed } from "./routed.js"
 */

import { createScenes } from "../../../core/scenes.js";
import { focusedDigit } from "../../../core/state.js";
import { memoize } from "../../../lib/memoize.js";
import { BELOW, gridOf, POSE, placeIn } from "../places.js";
import { routedOf, tensorsOf } from "./routed.js";
import { meanDistance, undecided, voteShares } from "./sums.js";

/**
 * @typedef {object} Scene what is on show
 * @property {Routed} routed
 * @property {Course} course what changes over its iterations
 * @property {MatrixModel} model
 * @property {number} step 0 first
 * @property {number} parent in focus: a class, or a type of the layer above
 * @property {Pick<Place, "row" | "column">} position of the parents
 * @property {string} name of the parent in focus
 * @property {number} child in focus, by its place in the window
 * @property {Place} place of that child on its grid
 * @property {number} entry of a pose, 0..15
 * @property {import("../../../types.js").Pixels} pixels
 */

/** What makes another scene of it. */
const KEYS = /** @type {const} */ ([
  "routed",
  "model",
  "step",
  "parent",
  "child",
  "entry",
]);

/** @param {RoutingStore} store */
export function scenesOf(store) {
  return createScenes(store, sceneReader(), KEYS);
}

/** @typedef {ReturnType<typeof scenesOf>} Scenes */

/** @returns {(state: RoutingState) => Scene | null} null while tensors are on their way */
function sceneReader() {
  const read = memoize(routedNow);
  return (state) => {
    const { trace, model, routed: above, entry } = state;
    const grid = gridOf(model.card.config, above);
    const parentPlace =
      above === "classes"
        ? { type: focusedDigit(state), row: 0, column: 0 }
        : placeIn(grid, state[above]);
    const { type: parent, row, column } = parentPlace;
    const found = read(trace, model, above, state[`${above}Learned`], row, column);
    if (found === null) return null;
    const { routed } = found;
    const child = childInFocus(routed, state[BELOW[above]]);
    return {
      ...found,
      model,
      // While a new number of iterations is computed, there may be fewer than asked for.
      step: Math.min(state.step, routed.iterations) - 1,
      parent,
      position: { row, column },
      name: nameOf(routed, parent),
      child,
      place: routed.children[child],
      entry: entry % POSE,
      pixels: trace.pixels,
    };
  };
}

/**
 * @param {RoutingState["trace"]} trace
 * @param {MatrixModel} model
 * @param {RoutingState["routed"]} above
 * @param {import("../types.js").Learned | null} learned
 * @param {number} row
 * @param {number} column
 */
function routedNow(trace, model, above, learned, row, column) {
  const tensors = tensorsOf(trace.tensors, above);
  if (tensors === null || learned === null) return null;
  const routed = routedOf(tensors, {
    above,
    model,
    learned,
    position: { row, column },
  });
  return { routed, course: courseOf(routed) };
}

/**
 * The chosen capsule below if the window holds it, else the most active one that it does.
 * @param {Routed} routed
 * @param {number} chosen its number on its grid
 */
function childInFocus({ numbers, presence }, chosen) {
  const found = numbers.indexOf(chosen);
  return found >= 0 ? found : presence.indexOf(Math.max(...presence));
}

/**
 * What a capsule above is called in a sentence.
 * @param {Routed} routed
 * @param {number} parent
 */
export function nameOf({ above, names }, parent) {
  return above === "classes" ? names[parent] : `type ${names[parent]}`;
}

/**
 * What changes over the iterations, each computed when first asked for.
 * @param {Routed} routed
 */
function courseOf(routed) {
  const steps = Array.from({ length: routed.iterations }, (_, step) => step);
  const parents = Array.from({ length: routed.parents }, (_, parent) => parent);
  /** @param {(step: number, parent: number) => number} figure */
  const byParent = (figure) =>
    memoize(() => parents.map((parent) => steps.map((step) => figure(step, parent))));
  const shares = memoize(() => steps.map((step) => voteShares(routed, step)));
  return {
    /** [parent][iteration] */
    activations: byParent(routed.activation),
    costs: byParent(routed.cost),
    /** Shares of all votes. */
    shares: byParent((step, parent) => shares()[step][parent]),
    /** Mean distance of its votes to its mean, weighted by what they count. */
    distances: byParent((step, parent) => meanDistance(routed, step, parent)),
    /** [iteration] in 0..1 */
    undecided: memoize(() => steps.map((step) => undecided(routed, step))),
  };
}

/** @typedef {ReturnType<typeof courseOf>} Course */
