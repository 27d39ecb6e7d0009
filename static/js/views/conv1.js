/**
 * Conv1, from all its kernels and maps down to the products behind one pixel.
 * @import { AppState, CapsNetSizes, Kernels, Pixels, Tensor } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { sidesOf } from "../geometry/receptive-field.js";
import { onChange } from "../lib/on-change.js";
import { findElement } from "../parts/find.js";
import { sizesOf } from "../state.js";
import { mountArithmetic } from "./conv1-arithmetic.js";
import { mountDetail } from "./conv1-detail.js";
import { mountMaps } from "./conv1-maps.js";

/**
 * The layer as it read one image.
 * @typedef {object} Conv1
 * @property {CapsNetSizes} sizes
 * @property {Kernels} kernels
 * @property {Pixels} pixels the image that the maps are of
 * @property {Tensor} pre (kernels, rows, columns), before ReLU
 * @property {Tensor} relu same shape, after ReLU
 */

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountConv1(root, store, actions) {
  const body = findElement(root, "[data-body]");
  const waiting = findElement(root, "[data-waiting]");
  const shape = findElement(root, "[data-shape]");
  const maps = mountMaps(findElement(root, "[data-maps]"), actions);
  const detail = mountDetail(root, actions);
  const arithmetic = mountArithmetic(findElement(root, "[data-arithmetic]"), actions);
  /** @type {Conv1 | null} */
  let layer = null;

  const readLayer = onChange(
    (
      /** @type {AppState["trace"]} */ trace,
      /** @type {AppState["kernels"]} */ kernels,
      /** @type {AppState["model"]} */ model,
    ) => {
      const found = conv1Of({ trace, kernels, model });
      // The last picture stays, dimmed, until the next is complete.
      body.classList.toggle("is-old", found === null);
      waiting.hidden = found !== null || trace === null;
      if (trace === null) layer = null;
      if (found === null) return;
      layer = found;
      const { conv1_kernels: count, kernel_size: size } = found.sizes;
      const { conv1: side } = sidesOf(found.sizes);
      shape.textContent = `${count} kernels ${size}×${size} → ${count} maps ${side}×${side}`;
    },
  );
  store.watch(["view", "trace", "kernels", "model", "map", "pixel"], (state) => {
    if (state.view !== "conv1") return;
    readLayer(state.trace, state.kernels, state.model);
    body.hidden = layer === null;
    if (layer === null) return;
    maps.show(layer, state.map);
    detail.show(layer, state.map, state.pixel);
    arithmetic.show(layer, state.map, state.pixel);
  });
  store.watch(["view", "field"], ({ view, field }) => {
    if (view === "conv1") detail.lookAt(field);
  });
}

/**
 * @param {Pick<AppState, "trace" | "kernels" | "model">} state
 * @returns {Conv1 | null} null while a part of it is on its way
 */
export function conv1Of({ trace, kernels, model }) {
  if (trace === null || kernels === null || model === null) return null;
  if (trace.model !== model.id || kernels.model !== model.id) return null;
  const { "conv1.pre": pre, "conv1.relu": relu } = trace.tensors;
  if (!pre || !relu) return null;
  return { sizes: sizesOf(model), kernels, pixels: trace.pixels, pre, relu };
}
