/**
 * Conv1, from all its kernels and maps down to the products behind one pixel; and a kernel
 * of one's own in its place.
 * @import { AppState } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 * @import { Conv1, Reading } from "./conv1-reading.js"
 */
import { fieldAround, sidesOf } from "../geometry/receptive-field.js";
import { onChange } from "../lib/on-change.js";
import { findElement } from "../parts/find.js";
import { mountFocus } from "./conv1-focus.js";
import { mountMaps } from "./conv1-maps.js";
import { conv1Of, ownReading, trainedReading } from "./conv1-reading.js";
import { mountOwnKernel } from "./kernel-own.js";

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
  const own = mountOwnKernel(root, actions);
  const focus = mountFocus(root, actions, ({ row, column }) => {
    if (reading === null) return;
    const { across, size, side, isTraced } = reading;
    const half = (size - 1) / 2;
    if (isTraced) actions.choosePixel(row * across + column);
    else actions.chooseCentre((row + half) * side + column + half);
  });
  /** @type {Conv1 | null} */
  let layer = null;
  /** @type {Reading | null} */
  let reading = null;

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
  const readTrained = onChange(trainedReading);
  const readOwn = onChange(ownReading);

  store.watch(
    ["view", "trace", "kernels", "model", "map", "pixel", "conv1", "kernel", "centre"],
    (state) => {
      if (state.view !== "conv1") return focus.pause();
      readLayer(state.trace, state.kernels, state.model);
      body.hidden = layer === null;
      if (layer === null) return;
      maps.show(layer, state.map, state.conv1);
      const trained = readTrained(layer, state.map);
      const isOwn = state.conv1.shown === "own";
      const { map, kernel, centre } = state;
      own.show(isOwn ? { layer, map, trained, kernel, centre } : null);
      reading = isOwn ? readOwn(layer, state.kernel) : trained;
      const place = isOwn
        ? fieldAround(reading.side, reading.size, state.centre)
        : placeOf(state.pixel, reading.across);
      focus.show(reading, place);
    },
  );
  store.watch(["view", "field"], ({ view, field }) => {
    if (view === "conv1") focus.lookAt(field);
  });
}

/**
 * @param {number} pixel
 * @param {number} across pixels in a row
 */
function placeOf(pixel, across) {
  return { row: Math.floor(pixel / across), column: pixel % across };
}
