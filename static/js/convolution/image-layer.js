/**
 * A convolution that reads the image, from all its kernels and maps down to the products
 * behind one pixel; and a kernel of one's own in its place.
 * @import { Layer, Reading } from "./reading.js"
 * @import { ImageLayerActions, ImageLayerStore } from "./types.js"
 */
import { memoize } from "../lib/memoize.js";
import { findElement } from "../ui/dom.js";
import { fieldAround, placeOf } from "./field.js";
import { mountFocus } from "./focus.js";
import { mountOwnKernel } from "./kernel/index.js";
import { layerOf, ownReading, trainedReading } from "./reading.js";
import { mountMaps } from "./sheet.js";

/**
 * @param {HTMLElement} root filled by `convolution/image-layer.html`
 * @param {ImageLayerStore} store
 * @param {ImageLayerActions} actions
 * @param {number} [step] pixels of the image from one position of a kernel to the next
 */
export function mountImageLayer(root, store, actions, step = 1) {
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
  /** @type {Reading | null} */
  let reading = null;

  const readLayer = memoize(layerOf);
  const readTrained = memoize(trainedReading);
  const readOwn = memoize(ownReading);
  const nameShape = memoize((/** @type {Layer} */ { kernels, pre }) => {
    const [count, size] = kernels.kernels.shape;
    const [, rows] = pre.shape;
    shape.textContent = `${count} kernels ${size}×${size} → ${count} maps ${rows}×${rows}`;
  });

  store.watch(
    ["trace", "kernels", "map", "pixel", "conv1", "kernel", "centre"],
    ({ trace, kernels, map, pixel, conv1, kernel, centre }) => {
      const layer = readLayer(trace.pixels, kernels, trace.tensors["conv1.pre"], step);
      nameShape(layer);
      maps.show(layer, map, conv1);
      const trained = readTrained(layer, map);
      const isOwn = conv1.shown === "own";
      own.show(isOwn ? { layer, map, trained, kernel, centre } : null);
      reading = isOwn ? readOwn(layer, kernel) : trained;
      const place = isOwn
        ? fieldAround(reading.side, reading.size, centre)
        : placeOf(pixel, reading.across);
      focus.show(reading, place);
    },
  );
  store.watch(["field"], ({ field }) => focus.lookAt(field));
  store.whenClosed(() => focus.pause());
}
