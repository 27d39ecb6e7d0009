/** Conv1, as every network's first convolution is shown. */
import { convolutionActions } from "../convolution/actions.js";
import { mountImageLayer } from "../convolution/image-layer.js";

/**
 * @param {HTMLElement} root
 * @param {any} store
 * @param {any} actions
 * @param {unknown} _services
 * @param {import("../kinds/types.js").Layer} layer
 */
export function mount(root, store, actions, _services, layer) {
  const all = { ...actions, ...convolutionActions(store) };
  mountImageLayer(root, store, all, layer.words?.step ?? 1);
}
