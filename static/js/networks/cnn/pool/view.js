/**
 * A pooling layer: all its maps, one of them window by window, one window number by
 * number, and what a move of the image does to it.
 * @import { Field, Pixels, Tensor } from "../../../types.js"
 * @import { Actions, CnnModel, CnnSizes, PoolingLook } from "../types.js"
 * @import { Shift } from "./moved/shift.js"
 * @import { Place, Pooled } from "./windows.js"
 */
import { mountTables } from "../../../convolution/tables.js";
import { memoize, memoizeByObject } from "../../../lib/memoize.js";
import { inkOf } from "../../../lib/pixels.js";
import { findElement } from "../../../ui/dom.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { fieldOf, windowOf } from "../places.js";
import { sizesOf } from "../state.js";
import { mountMap } from "./map.js";
import { mountMaps } from "./maps.js";
import { mountMoved } from "./moved/index.js";
import { listedMap } from "./tables.js";
import { mountWindow } from "./window.js";
import { lossOf, lossOfAll, pixelIn, pooledMap } from "./windows.js";

/** @typedef {{ own: "pool1" | "pool2", below: "conv1" | "conv2" }} Layers */

/**
 * What the parts of the view share.
 * @typedef {object} PoolHooks
 * @property {{ own: string, below: string }} names of the layers, for people
 * @property {Actions} actions
 * @property {(map: number) => void} chooseMap
 * @property {(pixel: Place) => void} choosePixel of the map below
 * @property {(window: Place) => void} chooseWindow
 * @property {(window: Place | null) => void} lookAtWindow
 * @property {(pixel: Place | null) => void} lookAtPixel of the map below
 * @property {(window: Place) => Field} fieldOf what a window sees
 */

/**
 * The layer as it read one image, and what the network answered.
 * @typedef {object} Run
 * @property {Pixels} pixels
 * @property {Pooled} layer
 * @property {Float32Array} scores one for each class
 * @property {number} prediction
 */

/**
 * What the view is drawn from.
 * @typedef {object} Seen
 * @property {CnnModel} model
 * @property {Run} run
 * @property {Run | null} moved the same over the moved image; null while it is on its way
 * @property {Shift} shift
 * @property {number} map
 * @property {number} pixel row * side + column of the map below
 * @property {PoolingLook} pooling
 */

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 * @param {object} options
 * @param {Layers} options.layers
 * @param {(map: number) => void} options.chooseMap
 * @param {(pixel: number) => void} options.choosePixel
 */
export function poolView(root, actions, { layers, chooseMap, choosePixel }) {
  const shape = findElement(root, "[data-shape]");
  /** @type {{ sizes: CnnSizes, side: number, map: ReturnType<typeof pooledMap> } | null} */
  let shown = null;

  /** @param {Place} pixel */
  function choose({ row, column }) {
    if (shown !== null) choosePixel(row * shown.side + column);
  }
  /** @type {PoolHooks} */
  const hooks = {
    names: { own: titled(layers.own), below: titled(layers.below) },
    actions,
    chooseMap,
    choosePixel: choose,
    chooseWindow(window) {
      if (shown === null) return;
      const { winners, across } = shown.map;
      choose(pixelIn(window, winners[window.row * across + window.column]));
    },
    lookAtWindow: (window) => actions.lookAt(window && seenBy(layers.own, window)),
    lookAtPixel: (pixel) => actions.lookAt(pixel && seenBy(layers.below, pixel)),
    fieldOf: (window) => seenBy(layers.own, window) ?? { row: 0, column: 0, size: 1 },
  };
  /** @param {Layers["own" | "below"]} layer @param {Place} place */
  function seenBy(layer, { row, column }) {
    return shown && fieldOf(shown.sizes, layer, row, column);
  }

  const maps = mountMaps(findElement(root, "[data-maps]"), hooks);
  const map = mountMap(findElement(root, "[data-map]"), hooks);
  const window = mountWindow(findElement(root, "[data-window]"), hooks);
  const beneath = findElement(root, "[data-moved]");
  const moved = showSeenFirst(beneath, mountMoved(beneath, hooks, layers).show);
  const tables = mountTables(root);
  const listMap = memoize(listedMap);
  const readMap = memoize(pooledMap);
  const readInk = memoize(inkOf);
  const nameShape = memoize((/** @type {Pooled} */ { below, pooled }) => {
    const words = (/** @type {Tensor} */ { shape: [count, rows, columns] }) =>
      `${count} maps ${rows}×${columns}`;
    shape.textContent = `${words(below)} → ${words(pooled)}`;
  });

  return {
    /** @param {Seen} seen */
    show(seen) {
      const { model, run, map: number, pixel, pooling } = seen;
      const { layer, pixels } = run;
      const one = readMap(layer, number);
      shown = { sizes: sizesOf(model), side: one.side, map: one };
      const place = { row: Math.floor(pixel / one.side), column: pixel % one.side };
      const at = windowOf(pixel, one.side);
      nameShape(layer);
      maps.show(layer, lostOf(layer), number, pooling);
      map.show(readInk(pixels), one, number, place, at);
      window.show(one, place, at);
      moved(seen, place, at);
      tables.show(listMap(one, number));
    },

    /** @param {Field | null} field */
    lookAt: (field) => map.lookAt(field),
  };
}

const lostOf = memoizeByObject(
  (/** @type {Pooled} */ { below }) => below,
  (layer) => {
    const each = Array.from({ length: layer.below.shape[0] }, (_, map) =>
      lossOf(pooledMap(layer, map)),
    );
    return { each, all: lossOfAll(each) };
  },
);

/** @param {string} layer such as "pool1" */
function titled(layer) {
  return layer[0].toUpperCase() + layer.slice(1);
}
