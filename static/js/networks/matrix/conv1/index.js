/**
 * Conv1, as every network's first convolution is shown. Its kernels move two pixels at a
 * time, and have batch normalisation folded into them.
 * @import { ViewStore } from "../../../types.js"
 * @import { Actions, Matrix } from "../types.js"
 */
import { mountImageLayer } from "../../../convolution/image-layer.js";
import { CONV1_STRIDE } from "../places.js";

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Matrix, "conv1.pre", "kernels">} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  mountImageLayer(root, store, actions, CONV1_STRIDE);
}
