/**
 * Conv2, from all its kernels and maps down to the products behind one pixel: each is a
 * sum over every map of Pool1.
 * @import { Place } from "../../../convolution/types.js"
 * @import { ViewStore } from "../../../types.js"
 * @import { Actions, Cnn } from "../types.js"
 * @import { DeepLayer } from "./layer.js"
 */
import { mountMaps } from "../../../convolution/sheet.js";
import { memoize } from "../../../lib/memoize.js";
import { findElement } from "../../../ui/dom.js";
import { POOL, sidesOf } from "../places.js";
import { sizesOf } from "../state.js";
import { mountFocus } from "./focus.js";
import { layerOf } from "./layer.js";

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Cnn, "pool1" | "conv2.pre", "kernels2">} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  const shape = findElement(root, "[data-shape]");
  const maps = mountMaps(findElement(root, "[data-maps]"), {
    lookAt: actions.lookAt,
    chooseMap: actions.chooseMap2,
    lookAtLayer: actions.lookAtLayer2,
  });
  const focus = mountFocus(root, actions, openPixel);

  /** @param {Place} pixel of the chosen map of Pool1 */
  function openPixel({ row, column }) {
    const state = store.get();
    if (state === null) return;
    const { conv1 } = sidesOf(sizesOf(state.model));
    actions.choosePixel(row * POOL * conv1 + column * POOL); // in that window
    actions.openView("pool1");
  }

  const readLayer = memoize(layerOf);
  const nameShape = memoize((/** @type {DeepLayer} */ { kernels, pre }) => {
    const [count, slices, size] = kernels.kernels.shape;
    const [, rows] = pre.shape;
    shape.textContent = `${count} kernels ${slices}×${size}×${size} → ${count} maps ${rows}×${rows}`;
  });

  store.watch(
    ["trace", "model", "kernels2", "map", "map2", "pixel2", "conv2", "beneath"],
    (state) => {
      const layer = readLayer(state.trace, state.kernels2, sizesOf(state.model));
      nameShape(layer);
      maps.show(layer, state.map2, state.conv2);
      focus.show(layer, state);
    },
  );
  store.watch(["field"], ({ field }) => focus.lookAt(field));
  store.whenClosed(() => focus.pause());
}
