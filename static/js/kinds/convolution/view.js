/**
 * A convolution, from all its kernels and maps down to the products behind one pixel; where
 * it reads the image, with a kernel of one's own in the place of a trained one.
 * @import { Chosen, ConvolutionState, Place, ReadLayer, Reading } from "./types.js"
 * @import { LayerMount } from "../types.js"
 */
import { memoize } from "../../lib/memoize.js";
import { findElement } from "../../ui/dom.js";
import { kept } from "../../ui/guard.js";
import { fieldAround, middleAt, placeOf } from "./field.js";
import { mountFocus } from "./focus.js";
import { mountOwnKernel } from "./kernel/own.js";
import { ownReading, readLayer, trainedReading } from "./reading.js";
import { imagePart } from "./reads-image.js";
import { mapsPart } from "./reads-maps.js";
import { mountSheet } from "./sheet.js";

/** What it is drawn from, whatever it reads; and where it reads the image, or maps. */
const KEYS = /** @type {const} */ ({
  always: ["trace", "model", "weights", "map", "pixel", "look"],
  image: ["kernel", "centre", "channel"],
  maps: ["mapBelow", "beneath"],
});

/** @type {LayerMount<ConvolutionState>} */
export function mount(root, store, actions, _services, layer) {
  const { lookAt } = actions;
  const shape = findElement(root, "[data-shape]");
  const sheet = mountSheet(findElement(root, "[data-maps]"), {
    lookAt,
    chooseMap: (map) => store.set({ map }),
    lookAtLayer: (change) => lookAnew("look", change),
  });
  const showSheet = kept(findElement(root, "[data-maps]"), sheet.show);
  const readsImage = layer.below === undefined;
  const own = readsImage ? mountOwnKernel(root, store, lookAt) : null;
  const part = readsImage
    ? imagePart(root, { lookAt, chooseChannel: (channel) => store.set({ channel }) })
    : mapsPart(
        root,
        {
          lookAt,
          chooseMap: (mapBelow) => store.set({ mapBelow }),
          lookBeneath: (change) => lookAnew("beneath", change),
          openPixel: (place) => actions.openUnit(layer.below ?? "", place),
        },
        layer,
      );
  const focus = mountFocus(root, lookAt, choose, part);

  /** @param {"look" | "beneath"} key @param {object} change */
  function lookAnew(key, change) {
    const state = store.get();
    if (state !== null) store.set({ [key]: { ...state[key], ...change } });
  }

  /** @param {Place} place on the map @param {Reading} reading */
  function choose(place, { isTraced, reach, pixels, across }) {
    if (isTraced) return store.set({ pixel: place.row * across + place.column });
    const middle = middleAt(reach, place);
    store.set({ centre: middle.row * pixels.columns + middle.column });
  }

  const readNow = memoize(readLayer);
  const readTrained = memoize(trainedReading);
  const readOwn = memoize(ownReading);
  const nameShape = memoize((/** @type {ReadLayer} */ { kernels, pre }) => {
    const [count, maps, ...sides] = kernels.shape;
    const [, rows, columns] = pre.shape;
    const slices = maps === 1 ? "" : `${maps}×`;
    shape.textContent = `${count} kernels ${slices}${sides.join("×")} → ${count} maps ${rows}×${columns}`;
  });

  store.watch([...KEYS.always, ...KEYS[readsImage ? "image" : "maps"]], (seen) => {
    const state = /** @type {ConvolutionState} */ (seen);
    const { map, look, kernel, centre } = state;
    const read = readNow(state.trace, state.weights, state.model, layer);
    nameShape(read);
    showSheet(read, map, look);
    const trained = readTrained(read, map);
    const isOwn = look.shown === "own";
    own?.show(isOwn ? { layer: read, map, trained, kernel, centre } : null);
    const reading = isOwn ? readOwn(read, kernel) : trained;
    focus.show(reading, placeIn(reading, state), state);
  });
  store.watch(["field"], ({ field }) => focus.lookAt(field));
  store.whenClosed(() => focus.pause());
}

/**
 * Where the kernel lies.
 * @param {Reading} reading @param {Chosen} chosen
 * @returns {Place}
 */
function placeIn(reading, { pixel, centre }) {
  const { isTraced, pixels, kernel, across } = reading;
  if (isTraced) return placeOf(pixel, across);
  return fieldAround(pixels, kernel.rows, centre);
}
