/**
 * The first convolutional capsules, which EM routing makes of the primary ones.
 * @import { ViewStore } from "../../../types.js"
 * @import { Actions, Matrix } from "../types.js"
 */
import { gridOf, placeIn } from "../places.js";
import { sizesOf } from "../state.js";
import { mountLayer } from "./index.js";

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Matrix, "caps1.poses" | "caps1.activations", "caps2Learned">} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  const layer = mountLayer("caps1", root, actions);
  store.watch(
    ["trace", "model", "caps1", "caps2", "caps2Learned", "entry"],
    ({ trace, model, caps1: capsule, caps2: chosen, caps2Learned: learned, entry }) => {
      const above = placeIn(gridOf(sizesOf(model), "caps2"), chosen);
      layer.show({ trace, model, capsule, above, learned, entry });
    },
  );
  store.watch(["field"], ({ field }) => layer.lookAt(field));
}
