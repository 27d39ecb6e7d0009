/**
 * Choosing a capsule below or above in a picture of routing.
 * @import { Actions } from "../types.js"
 * @import { Scene } from "./scene.js"
 */
import { BELOW, gridOf, numberOf } from "../places.js";

/**
 * @param {Scene} scene
 * @param {Actions} actions
 * @param {number} child by its place in the window
 */
export function chooseChild({ routed }, actions, child) {
  if (child >= 0 && child < routed.numbers.length)
    actions.chooseCapsule(BELOW[routed.above], routed.numbers[child]);
}

/**
 * @param {Scene} scene
 * @param {Actions} actions
 * @param {number} parent
 */
export function chooseParent({ routed, model, position }, actions, parent) {
  if (parent < 0 || parent >= routed.parents) return;
  const { above } = routed;
  if (above === "classes") return actions.focusDigit(parent);
  const grid = gridOf(model.card.config, above);
  actions.chooseCapsule(above, numberOf(grid, { type: parent, ...position }));
}
