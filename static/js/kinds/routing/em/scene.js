/**
 * What the pictures of EM routing share: the routing on show, the iteration, and the
 * capsules above and below in focus; and how these are chosen.
 * @import { Layer, TraceOf } from "../../types.js"
 * @import { RoutingModel } from "../types.js"
 * @import { Routed } from "./routed.js"
 * @import { EmRoom, EmScene, EmState, EmStore, Route } from "./types.js"
 */

import { createScenes } from "../../../core/scenes.js";
import { focusedClass } from "../../../core/state.js";
import { memoize } from "../../../lib/memoize.js";
import { numberOf, placeIn } from "../../capsules/places.js";
import { POSE } from "../../matrices.js";
import { countedLengths, NO_SURGERY } from "../surgery/changes.js";
import { ranIn } from "../surgery/run.js";
import { courseOf } from "./course.js";
import { gridAbove, nameOf, ofRoute, routedOf } from "./routed.js";
import { LEARNED, ROLES, routeTo } from "./routes.js";

/** @param {EmStore} store */
export function scenesOf(store) {
  const read = memoize(routedNow);
  return createScenes(store, (state) => {
    const { trace, model, layer, weights, entry } = state;
    const route = routeIn(state);
    const { type: parent, row, column } = parentIn(state);
    const routing = read(trace, weights, model, layer, route, row, column);
    if (routing === null) return null;
    const { routed } = routing;
    const child = childInFocus(routed, state[keyOf(layer, route.from)]);
    return {
      ...routing,
      model,
      iterations: routed.iterations,
      // While a new number of iterations is computed, there may be fewer than asked for.
      step: Math.min(state.step, routed.iterations) - 1,
      parent, // in focus: a class, or a type of the layer above
      position: { row, column }, // of the parents on their grid
      name: nameOf(routed, parent),
      child, // in focus, by its place in the window
      childPosition: routed.children[child], // where that child stands on its grid
      entry: entry % POSE,
    };
  });
}

/**
 * @param {EmState["trace"]} trace @param {EmState["weights"]} weights
 * @param {RoutingModel} model @param {Layer} layer @param {Route} route
 * @param {number} row of the capsules above
 * @param {number} column
 */
function routedNow(trace, weights, model, layer, route, row, column) {
  const recorded = ofRoute(trace.tensors, ROLES, route);
  const learned = ofRoute(weights, LEARNED, route);
  if (recorded === null || learned === null) return null;
  const { silenced } = isToClasses(route) ? ranIn(trace) : NO_SURGERY;
  const tensors = {
    ...recorded,
    presence: countedLengths(recorded.presence, silenced),
  };
  const position = { row, column };
  const routed = routedOf(tensors, { layer, route, model, learned, position });
  return { routed, course: courseOf(routed) };
}

/** @param {Pick<EmState, "layer" | "routed">} state @returns {Route} that is on show */
export const routeIn = ({ layer, routed }) => routeTo(layer, routed);

/** Where the capsule above in focus stands. @param {EmState} state */
export function parentIn(state) {
  const { layer, model } = state;
  const route = routeIn(state);
  if (isToClasses(route)) return { type: focusedClass(state), row: 0, column: 0 };
  return placeIn(gridAbove(layer, route, model), state[keyOf(layer, route.to)]);
}

/** The classes are what the layer itself makes. @param {Route} route */
export const isToClasses = ({ prefix }) => prefix === "";

/**
 * The key of the state that holds a layer's chosen capsule.
 * @param {Layer} layer that routes
 * @param {string} id of the other
 */
const keyOf = ({ network }, id) =>
  network.find((layer) => layer.id === id)?.keys?.capsule ?? id;

/**
 * The chosen capsule below if the window holds it, else the most active one that it does.
 * @param {Routed} routed
 * @param {number} chosen its number on its grid
 */
function childInFocus({ numbers, presence }, chosen) {
  const index = numbers.indexOf(chosen);
  return index >= 0 ? index : presence.indexOf(Math.max(...presence));
}

/** @param {EmRoom} room @param {EmScene} scene @param {number} child */
export function chooseChild({ store, layer }, { routed: { route, numbers } }, child) {
  if (child in numbers) store.set({ [keyOf(layer, route.from)]: numbers[child] });
}

/**
 * Show on the input what a child sees.
 * @param {EmRoom} room @param {EmScene} scene @param {number | null} child null: nothing
 */
export function lookAtChild({ actions, layer }, { routed, model }, child) {
  if (child === null) return actions.lookAt(null);
  const { row, column } = routed.children[child];
  const below = layer.network.find(({ id }) => id === routed.route.from);
  actions.lookAt(below?.field(model, row, column) ?? null);
}

/**
 * Change where the capsule above in focus stands; nothing, where none has its type.
 * @param {EmRoom} room @param {{ type?: number, row?: number, column?: number }} change
 */
export function moveParent({ store, actions, layer }, change) {
  const state = store.get();
  if (state === null) return;
  const route = routeIn(state);
  const grid = gridAbove(layer, route, state.model);
  const position = { ...parentIn(state), ...change };
  if (position.type < 0 || position.type >= grid.types) return;
  if (isToClasses(route)) actions.focusClass(position.type);
  else store.set({ [keyOf(layer, route.to)]: numberOf(grid, position) });
}
