/**
 * Any tensor: all of its tiles, the chosen one cell by cell, and its numbers.
 * @import { At } from "../../draw/sheet.js"
 * @import { Panel } from "../../ui/panel.js"
 * @import { LayerMount, LayerState, Tensor } from "../types.js"
 */
import { createScenes } from "../../core/scenes.js";
import { sheet } from "../../draw/sheet.js";
import { legend } from "../../draw/tiles.js";
import { capitalized, fixed } from "../../lib/format.js";
import { memoizeByObject } from "../../lib/memoize.js";
import { findElement, setText } from "../../ui/dom.js";
import { mountPanels } from "../../ui/panel.js";
import { mapValues } from "../../ui/values.js";
import { placeOf } from "../convolution/field.js";
import { partPicture } from "../values.js";
import { scaleOf, tileName, tilesOf } from "./tiles.js";

/** @typedef {LayerState<{ tile: number, cell: number }, "values">} TensorState */
/** @typedef {{ title: string, values: Tensor, tile: number, cell: number }} Scene */
/** @typedef {{ set: (change: Partial<Scene>) => void, look: (at: At | null) => void }} Act */

/** @type {LayerMount<TensorState>} */
export function mount(root, store, actions, _services, layer) {
  const scenes = createScenes(store, (/** @type {TensorState} */ state) => {
    const { trace, tile, cell } = state;
    return { title: layer.title, values: trace.tensors.values, tile, cell };
  });
  const act = {
    set: store.set,
    look(/** @type {At | null} */ at) {
      const model = store.get()?.model;
      if (model) actions.lookAt(at && layer.field(model, at.row, at.column, at.tile));
    },
  };
  mountPanels(root, { scenes, act }, panels);
  const shape = findElement(root, "[data-shape]");
  scenes.watch(({ values }) => setText(shape, values.shape.join("×")));
}

/** One scale, and one picture, for the same values. */
const scaleFor = memoizeByObject((/** @type {Tensor} */ values) => values, scaleOf);

/** @param {Scene} scene */
const keyOf = ({ values }) => legend(scaleFor(values), "value", 3);

/** @type {Panel<Scene, Scene, Act>} */
const tiles = {
  id: "tiles",
  look: "layer-maps",
  title({ values }) {
    const { count } = tilesOf(values.shape);
    return count === 1 ? "All values" : `All ${count} tiles`;
  },
  picture: (scene, { set, look }) => [
    sheet({
      label: `All values of ${scene.title}`,
      data: scene.values.data,
      layout: tilesOf(scene.values.shape),
      scale: scaleFor(scene.values),
      step: "place",
      chosen: atOf(scene),
      choose: ({ tile }) => set({ tile }),
      look,
      words: (at) => wordsOn(scene.values, at),
    }),
    keyOf(scene),
  ],
};

/** @type {Panel<Scene, Scene, Act>} */
const tile = {
  id: "tile",
  look: "layer-detail",
  title: ({ values, tile }) => capitalized(tileName(values.shape, tile)),
  picture(scene, { set, look }) {
    const { values, tile } = scene;
    const { columns } = tilesOf(values.shape);
    return partPicture(
      {
        name: `${tileName(values.shape, tile)} of ${scene.title}`,
        data: tileIn(scene),
        columns,
        scale: scaleFor(values),
        unit: "value",
        chosen: atOf(scene),
        choosing: ({ row, column }) => ({ tile, cell: row * columns + column }),
        read: (at) => wordsOn(values, { ...at, tile }),
      },
      { set, look: (at) => look(at && { ...at, tile }) },
    );
  },
  table: {
    title: "The chosen tile as a table",
    of(scene) {
      const { shape } = scene.values;
      const { columns } = tilesOf(shape);
      return [
        mapValues(capitalized(tileName(shape, scene.tile)), tileIn(scene), columns),
      ];
    },
  },
};

/** @param {Scene} scene @returns {At} */
const atOf = ({ values, tile, cell }) => ({
  tile,
  ...placeOf(cell, tilesOf(values.shape).columns),
});

/** @param {Scene} scene */
function tileIn({ values: { shape, data }, tile }) {
  const { rows, columns } = tilesOf(shape);
  return data.subarray(tile * rows * columns, (tile + 1) * rows * columns);
}

/** @param {Tensor} values @param {At} at */
function wordsOn({ shape, data }, { tile, row, column }) {
  const { rows, columns } = tilesOf(shape);
  const at = rows > 1 ? `row ${row}, column ${column}` : `number ${column}`;
  return `${capitalized(tileName(shape, tile))}, ${at}: ${fixed(data[(tile * rows + row) * columns + column], 4)}`;
}

export const panels = [tiles, tile];
