/**
 * The primary capsules: a linear map of Conv1 at each place.
 * @import { ViewStore } from "../../../types.js"
 * @import { Actions, Matrix } from "../types.js"
 */
import { gridOf, placeIn } from "../places.js";
import { sizesOf } from "../state.js";
import { mountLayer } from "./index.js";

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Matrix, "primary.poses" | "primary.activations", "caps1Learned">} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  const layer = mountLayer("primary", root, actions);
  store.watch(
    ["trace", "model", "primary", "caps1", "caps1Learned", "entry"],
    ({
      trace,
      model,
      primary: capsule,
      caps1: chosen,
      caps1Learned: learned,
      entry,
    }) => {
      const above = placeIn(gridOf(sizesOf(model), "caps1"), chosen);
      layer.show({ trace, model, capsule, above, learned, entry });
    },
  );
  store.watch(["field"], ({ field }) => layer.lookAt(field));
}
