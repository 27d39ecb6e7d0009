/**
 * What the pictures of dynamic routing share: the run on show, what is chosen in it, and how
 * that is chosen. While a run under surgery is on its way, the scene before stays.
 * @import { Tensor } from "../../../types.js"
 * @import { Trace } from "../../../types.js"
 * @import { Place } from "../types.js"
 * @import { DynamicRoom, DynamicScene, DynamicState, DynamicStore, RoutedTensors } from "./types.js"
 */

import { createScenes } from "../../../core/scenes.js";
import { saidOf } from "../../../core/scores.js";
import { focusedClass } from "../../../core/state.js";
import { clamp } from "../../../lib/arithmetic.js";
import { presence } from "../../../lib/decimals.js";
import { memoize, memoizeByObject } from "../../../lib/memoize.js";
import { choosing, numberOf, placeIn } from "../../capsules/places.js";
import { belowOf, hasPlaces } from "../../capsules/source.js";
import { traceBy } from "../../layer-state.js";
import { ranIn } from "../surgery/run.js";
import { endsOf, gridBelow, madeBy, nounsOf, withNone } from "./ends.js";
import { figuresOf } from "./figures.js";

/** @param {DynamicStore} store what is on show, for all pictures */
export function scenesOf(store) {
  const withUnchanged = memoize(tensorsOf);
  return createScenes(store, (state) => {
    const { model, layer, capsule, followsStrongest } = state;
    const { trace } = state;
    const ran = ranIn(trace);
    const ends = endsOf({ layer, model });
    const traced = /** @type {RoutedTensors} */ (
      /** @type {unknown} */ (trace.tensors)
    );
    if (ends.length > model.classes && traced.none === undefined) return null;
    const grid = gridBelow(layer, model);
    const tensors = onGrid(sharedOut(traced), grid);
    const [iterations] = tensors.couplings.shape;
    const classIndex = focusedClass(state);
    return {
      model,
      layer,
      capsule,
      followsStrongest,
      tensors,
      ran,
      iterations,
      classIndex,
      grid,
      ends,
      // What the run on show was run under is `ran`; this is what is to be changed.
      surgery: state.surgery,
      pixels: trace.pixels,
      more: withUnchanged(trace, state.intact ? traceBy(layer, state.intact) : trace),
      figures: figuresOf({ tensors, ran }),
      // While a new number of iterations is computed, there may be fewer than are asked for.
      step: Math.min(state.step, iterations) - 1,
      name: model.class_names[classIndex],
      nouns: nounsOf(layer),
      position: placeIn(grid, capsule),
    };
  });
}

/** Couplings that sum to 1; the same for the same. */
const summingToOne = memoizeByObject(
  (/** @type {RoutedTensors} */ { couplings }) => couplings,
  ({ couplings, none }) => (none ? withNone(couplings, none) : couplings),
);

/** A run's tensors, with such couplings; the same for the same. */
const sharedOut = memoizeByObject(
  (/** @type {RoutedTensors} */ tensors) => tensors,
  (tensors) => ({ ...tensors, couplings: summingToOne(tensors) }),
);

/** What has an axis for the capsules below, and where. */
const OVER_BELOW = { lengths: 0, logits: 1, couplings: 1, agreement: 1, none: 1 };

/**
 * A run's tensors where capsules without a place have a grid, too; the same for the same.
 * @param {RoutedTensors} tensors @param {DynamicScene["grid"]} grid
 * @returns {RoutedTensors}
 */
function onGrid(tensors, grid) {
  return tensors.lengths.shape.length > 1 ? tensors : regrouped({ tensors, grid });
}

const regrouped = memoizeByObject(
  (/** @type {{ tensors: RoutedTensors, grid: DynamicScene["grid"] }} */ { tensors }) =>
    tensors,
  ({ tensors, grid: { types, rows, columns } }) => {
    /** @type {Record<string, Tensor>} */
    const regridded = { ...tensors };
    for (const [role, axis] of Object.entries(OVER_BELOW)) {
      if (regridded[role] === undefined) continue;
      const { shape, data } = regridded[role];
      const before = shape.slice(0, axis);
      const after = shape.slice(axis + 1);
      regridded[role] = { shape: [...before, types, rows, columns, ...after], data };
    }
    return /** @type {RoutedTensors} */ (/** @type {unknown} */ (regridded));
  },
);

/**
 * All tensors of a run, by name: some come on request. Surgery changes no vote, and nothing
 * below: those of the intact run are those of any.
 * @param {Pick<Trace, "tensors" | "pixels">} run @param {Pick<Trace, "tensors" | "pixels">} intact
 * @returns {Readonly<Partial<Record<string, Tensor>>>}
 */
function tensorsOf(run, intact) {
  return run.pixels === intact.pixels
    ? { ...intact.tensors, ...run.tensors }
    : run.tensors;
}

/**
 * Choose the capsule of another type that stands where the chosen one does, and a class.
 * @param {DynamicRoom} room @param {DynamicScene} scene
 * @param {{ type?: number, target?: number }} ends
 */
export function chooseEnds({ store }, { position, grid, model }, { type, target }) {
  const to = type === undefined ? null : clamp(type, 0, grid.types - 1);
  store.set({
    ...(to !== null && choosing(numberOf(grid, { ...position, type: to }))),
    ...(isClass(target, model) && { classIndex: Math.max(0, target) }),
  });
}

/** @param {DynamicRoom} room @param {number} classIndex */
export function chooseClass({ store, actions, layer }, classIndex) {
  const model = store.get()?.model;
  if (!model || !isClass(classIndex, model)) return;
  if (madeBy(layer)) store.set({ classIndex });
  else actions.focusClass(classIndex);
}

/**
 * Show on the input what the capsules of a place see.
 * @param {DynamicRoom} room @param {Pick<Place, "row" | "column"> | null} position null: nothing
 */
export function lookAtPlace({ store, actions, layer }, position) {
  const model = store.get()?.model;
  const below = belowOf(layer);
  if (!model || !below || !hasPlaces(below)) return;
  actions.lookAt(position && layer.field(model, position.row, position.column));
}

/**
 * Ask for tensors that a panel needs now.
 * @param {DynamicRoom} room @param {string} panel @param {readonly string[]} names
 */
export function askFor({ store }, panel, names) {
  const { requests } = store.get() ?? {};
  if (requests && requests[panel]?.join() !== names.join())
    store.set({ requests: { ...requests, [panel]: names } });
}

/**
 * Whether an end can be put in focus: none of the above has no capsule.
 * @param {number | undefined} end @param {Pick<DynamicState["model"], "classes">} model
 * @returns {end is number}
 */
const isClass = (end, { classes }) => end !== undefined && end < classes;

/**
 * The longest of the other classes in an iteration.
 * @param {Pick<DynamicScene, "figures" | "classIndex">} scene @param {number} step
 */
export function rivalOf({ figures, classIndex }, step) {
  const lengths = figures.lengths();
  let best = classIndex === 0 ? 1 : 0;
  for (let other = 0; other < lengths.length; other++)
    if (other !== classIndex && lengths[other][step] > lengths[best][step])
      best = other;
  return best;
}

/**
 * Whether a network that can name several classes names this one beside another.
 * @param {Pick<DynamicScene, "figures" | "model">} scene
 * @param {number} classIndex @param {number} step
 */
function isNamedToo({ figures, model }, classIndex, step) {
  const lengths = figures.lengths().map((values) => values[step]);
  const { named } = saidOf(lengths, model);
  return named.length > 1 && named.includes(classIndex);
}

/**
 * The two classes that are set side by side.
 * @param {Pick<DynamicScene, "classIndex" | "figures" | "model">} scene
 * @param {number} step
 * @returns {{ focus: number, rival: number, names: string[], rank: string }} the class in
 *   focus, the longest of the others after an iteration, and what that one is called then
 */
export function pairOf(scene, step) {
  const { classIndex, figures, model } = scene;
  const rival = rivalOf(scene, step);
  const [ownLength, other] = [classIndex, rival].map((i) => figures.lengths()[i][step]);
  const names = [classIndex, rival].map((i) => model.class_names[i]);
  const shorter = isNamedToo(scene, rival, step) ? "also named" : "the runner-up";
  const rank =
    presence(ownLength) === presence(other)
      ? "equally long"
      : ownLength > other
        ? shorter
        : "the longest";
  return { focus: classIndex, rival, names, rank };
}

/**
 * What two classes are called that stay side by side over the iterations: the class in
 * focus, and what the longest of the others in the end is in the iteration on show.
 * @param {Pick<DynamicScene, "classIndex" | "figures" | "model" | "step" | "iterations">} scene
 */
export function lastingPairOf(scene) {
  const last = pairOf(scene, scene.iterations - 1);
  const now = pairOf(scene, scene.step);
  const isSo = now.rival === last.rival && now.rank === last.rank;
  return { ...last, rank: isSo ? last.rank : `${last.rank} in the end` };
}
