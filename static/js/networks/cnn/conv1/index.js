/**
 * Conv1, as every network's first convolution is shown.
 * @import { ViewStore } from "../../../types.js"
 * @import { Actions, Cnn } from "../types.js"
 */
import { mountImageLayer } from "../../../convolution/image-layer.js";

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Cnn, "conv1.pre", "kernels">} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  mountImageLayer(root, store, actions);
}
