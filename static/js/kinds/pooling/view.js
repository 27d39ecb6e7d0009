/**
 * A pooling layer: all its maps, one of them window by window, one window number by
 * number, and what a move of the image does to it.
 * @import { Actions, Field, Layer, LayerMount, Pooled, Tensor, Trace } from "../types.js"
 * @import { PoolingLook, PoolingState, PoolingStore } from "./types.js"
 * @import { Run } from "./moves.js"
 * @import { Place, PooledMap } from "./windows.js"
 */
import { bothOf } from "../../geometry/windows.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { findElement } from "../../ui/dom.js";
import { kept } from "../../ui/guard.js";
import { showSeenFirst } from "../../ui/seen.js";
import { gridTable, mountTables } from "../../ui/tables.js";
import { movedTrace, poolingOf } from "./keep.js";
import { mountMaps } from "./maps.js";
import { mountMoved } from "./moved.js";
import { mountMap, mountWindow } from "./pictures.js";
import { pixelIn, pooledMap, windowOf } from "./windows.js";

/**
 * What the parts of the view share.
 * @typedef {object} PoolHooks
 * @property {{ own: string, below: string }} names of the layers, for people
 * @property {(map: number) => void} chooseMap
 * @property {(look: Partial<PoolingLook>) => void} look
 * @property {(pixel: Place) => void} choosePixel of the map below
 * @property {(window: Place) => void} chooseWindow
 * @property {(window: Place | null) => void} lookAtWindow
 * @property {(pixel: Place | null) => void} lookAtPixel of the map below
 * @property {(window: Place) => Field} fieldOf what a window sees
 */

/** @type {LayerMount<PoolingState>} */
export function mount(root, store, actions, _services, layer) {
  const shape = findElement(root, "[data-shape]");
  const hooks = hooksOf(store, actions, layer);
  const maps = mountMaps(findElement(root, "[data-maps]"), hooks);
  const map = mountMap(findElement(root, "[data-map]"), hooks);
  const window = mountWindow(findElement(root, "[data-window]"), hooks);
  const [showMaps, showMap, showWindow] = [
    kept(findElement(root, "[data-maps]"), maps.show),
    kept(findElement(root, "[data-map]"), map.show),
    kept(findElement(root, "[data-window]"), window.show),
  ];
  const beneath = findElement(root, "[data-moved]");
  const moved = mountMoved(beneath, hooks, (shift) => store.set({ shift }));
  const showMoved = showSeenFirst(beneath, moved.show);
  const tables = mountTables(root);
  const listMap = memoize(listedMap);
  const readMap = memoize(pooledMap);
  const runOf = memoizeByObject(
    (/** @type {Trace} */ trace) => trace,
    (trace) => runFrom(trace, layer),
  );
  const nameShape = memoize((/** @type {Pooled} */ { below, pooled }) => {
    const words = (/** @type {Tensor} */ { shape: [count, rows, columns] }) =>
      `${count} maps ${rows}×${columns}`;
    shape.textContent = `${words(below)} → ${words(pooled)}`;
  });

  store.watch(["trace", "model", "map", "pixel", "look", "shift", "moved"], (state) => {
    const { trace, model, map: number, pixel, look, shift } = state;
    const run = runOf(trace);
    const after = movedTrace(state, layer);
    const one = readMap(run.layer, number);
    const place = { row: Math.floor(pixel / one.side), column: pixel % one.side };
    const at = windowOf(place, one);
    nameShape(run.layer);
    showMaps(run.layer, number, look);
    showMap(trace.pixels, one, number, place, at);
    showWindow(one, place, at);
    const [step] = bothOf(layer.reach(model)?.step ?? 1);
    showMoved(
      { model, run, moved: after && runOf(after), shift, map: number, step },
      place,
      at,
    );
    tables.show(listMap(one, number));
  });
  store.watch(["field"], ({ field }) => map.lookAt(field));
}

/**
 * @param {PoolingStore} store @param {Actions} actions @param {Layer} layer
 * @returns {PoolHooks}
 */
function hooksOf(store, actions, layer) {
  const below = layer.network.find(({ id }) => id === layer.below);

  /** @param {(map: PooledMap) => Place} pixelOf */
  function choose(pixelOf) {
    const state = store.get();
    if (state === null) return;
    const map = pooledMap(poolingOf(state.trace, layer), state.map);
    const { row, column } = pixelOf(map);
    store.set({ pixel: row * map.side + column });
  }
  /** @param {Layer | undefined} of @param {Place | null} place */
  function fieldOf(of, place) {
    const model = store.shown()?.model;
    return (place && model && of?.field(model, place.row, place.column)) ?? null;
  }
  return {
    names: { own: layer.title, below: below?.title ?? "" },
    chooseMap: (map) => store.set({ map }),
    look(change) {
      const state = store.get();
      if (state !== null) store.set({ look: { ...state.look, ...change } });
    },
    choosePixel: (pixel) => choose(() => pixel),
    chooseWindow: (window) =>
      choose(({ winners, across }) =>
        pixelIn(window, winners[window.row * across + window.column]),
      ),
    lookAtWindow: (window) => actions.lookAt(fieldOf(layer, window)),
    lookAtPixel: (pixel) => actions.lookAt(fieldOf(below, pixel)),
    fieldOf: (window) => fieldOf(layer, window) ?? { row: 0, column: 0, size: 1 },
  };
}

/** @param {Trace} trace @param {Layer} layer @returns {Run} */
function runFrom(trace, layer) {
  const scores = /** @type {Tensor} */ (trace.tensors[layer.tensors.scores]);
  const { pixels, prediction } = trace;
  return { pixels, prediction, scores: scores.data, layer: poolingOf(trace, layer) };
}

/**
 * The chosen map, what is below it and its winners as tables.
 * @param {PooledMap} map
 * @param {number} number of the map
 */
function listedMap({ below, side, pooled, winners, across }, number) {
  // A window of four zeros has no winner, whatever pixel the trace names.
  const won = winners.map((winner, i) => (pooled[i] === 0 ? Number.NaN : winner));
  const winnersTable = gridTable(
    "Winners: 0 upper left, 1 upper right, 2 lower left, 3 lower right, – none",
    won,
    across,
  );
  return [
    gridTable(`Map ${number} before pooling`, below, side),
    gridTable(`Map ${number} after pooling`, pooled, across),
    { ...winnersTable, options: { ...winnersTable.options, decimals: 0 } },
  ];
}
