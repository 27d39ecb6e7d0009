/**
 * A convolution, from all its kernels and maps down to the products behind one pixel; where
 * it reads the image, with a kernel of one's own in the place of a trained one.
 * @import { BeneathLook, Chosen, ConvolutionState, Place, Pointing, ReadLayer, Reading } from "./types.js"
 * @import { Layer, LayerMount } from "../types.js"
 */
import { createScenes, withPointed } from "../../core/scenes.js";
import { memoize } from "../../lib/memoize.js";
import { findElement, setText } from "../../ui/dom.js";
import { mountPanels } from "../../ui/panel.js";
import { fieldAround, middleAt, placeOf } from "./field.js";
import { mountFocus } from "./focus.js";
import { mountOwnKernel } from "./kernel/own.js";
import { isNormed } from "./norm.js";
import { ownReading, readLayer, trainedReading } from "./reading.js";
import { arithmetic, imagePart, imageTable } from "./reads-image.js";
import { beneath, mapsPart, mapsTable } from "./reads-maps.js";
import { maps } from "./sheet.js";

/** @type {LayerMount<ConvolutionState>} */
export function mount(root, store, actions, _services, layer) {
  const { lookAt } = actions;
  const shape = findElement(root, "[data-shape]");
  const readsImage = layer.below === undefined;
  const own = readsImage ? mountOwnKernel(root, store, lookAt) : null;
  const scenes = createScenes(store, sceneFrom(layer, root.dataset.view ?? ""));
  /** @type {Pointing} */
  let pointed = { pixel: null, cell: null };
  const pointing = withPointed(scenes, pointed);
  /** @param {Partial<Pointing>} change */
  function keep(change) {
    pointed = { ...pointed, ...change };
    pointing.point(pointed);
  }
  const act = {
    ...{ set: store.set, lookAt, own: own?.panel, keep },
    chooseMap: (/** @type {number} */ mapBelow) => store.set({ mapBelow }),
    lookBeneath(/** @type {Partial<BeneathLook>} */ change) {
      const scene = scenes.shown();
      if (scene) store.set({ beneath: { ...scene.beneath, ...change } });
    },
    openPixel: (/** @type {Place} */ at) => actions.openUnit(layer.below ?? "", at),
  };
  const [partOf, panel, table] = readsImage
    ? /** @type {const} */ ([imagePart, arithmetic, imageTable])
    : /** @type {const} */ ([mapsPart, beneath, mapsTable]);
  const part = partOf(root, act);
  mountPanels(root, { scenes, act }, [{ ...maps, table }]);
  mountPanels(root, { scenes: pointing, act: { ...act, point: part.point } }, [panel]);
  const focus = mountFocus(root, { choose, preview, lookAt }, part);

  /** @param {Place} place on the map @param {Reading} reading */
  function choose(place, { isTraced, reach, pixels, across }) {
    if (isTraced) return store.set({ pixel: place.row * across + place.column });
    const middle = middleAt(reach, place);
    store.set({ centre: middle.row * pixels.columns + middle.column });
  }

  /** @param {Place | null} pixel of the map */
  function preview(pixel) {
    if (pixel !== pointed.pixel) keep({ pixel });
  }

  scenes.watch((scene) => {
    const { read, reading, place, trained, map, kernel, centre } = scene;
    setText(shape, shapeWords(read));
    const isOwn = scene.look.shown === "own";
    own?.show(isOwn ? { layer: read, map, trained, kernel, centre } : null);
    focus.show(reading, place, scene);
    preview(null);
  });
  store.watch(["field"], ({ field }) => focus.lookAt(field));
  store.whenClosed(() => focus.pause());
}

/** @param {Layer} layer @param {string} id of the view */
export function sceneFrom(layer, id) {
  const lower = layer.network.find(({ id }) => id === layer.below);
  const words = {
    ...{ below: lower?.title ?? "", unit: layer.words.below, reader: "slice" },
    isSigned: lower !== undefined && isNormed(lower),
    precision: "maps come in half precision, which keeps about three digits",
  };
  const readNow = memoize(readLayer);
  const readTrained = memoize(trainedReading);
  const readOwn = memoize(ownReading);
  /** @param {ConvolutionState} state */
  return ({ trace, weights, model, ...chosen }) => {
    const { map, pixel, look, kernel, centre, channel, mapBelow, beneath } = chosen;
    const read = readNow(trace, weights, model, layer);
    const trained = readTrained(read, map);
    const reading = look.shown === "own" ? readOwn(read, kernel) : trained;
    const place = placeIn(reading, chosen);
    return {
      ...{ id, words, read, trained, reading, place, map, pixel, look },
      ...{ kernel, centre, channel, mapBelow, beneath },
    };
  };
}

/** @param {ReadLayer} layer */
function shapeWords({ kernels, pre }) {
  const [count, maps, ...sides] = kernels.shape;
  const [, rows, columns] = pre.shape;
  const slices = maps === 1 ? "" : `${maps}×`;
  return `${count} kernels ${slices}${sides.join("×")} → ${count} maps ${rows}×${columns}`;
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
