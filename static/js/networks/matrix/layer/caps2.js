/**
 * The second convolutional capsules, which vote for the classes.
 * @import { ViewStore } from "../../../types.js"
 * @import { Actions, Matrix } from "../types.js"
 */
import { classInFocus, mountLayer } from "./index.js";

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Matrix, "caps2.poses" | "caps2.activations", "classesLearned">} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  const layer = mountLayer("caps2", root, actions);
  store.watch(
    ["trace", "model", "caps2", "digit", "classesLearned", "entry"],
    ({ trace, model, caps2: capsule, digit, classesLearned: learned, entry }) => {
      const above = classInFocus({ digit, trace });
      layer.show({ trace, model, capsule, above, learned, entry });
    },
  );
  store.watch(["field"], ({ field }) => layer.lookAt(field));
}
