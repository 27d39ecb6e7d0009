/**
 * Any tensor: all of its tiles, the chosen one cell by cell, and its numbers.
 * @import { At } from "../../ui/maps.js"
 * @import { LayerMount, LayerState, Tensor } from "../types.js"
 */
import { capitalized, fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { findElement, setText } from "../../ui/dom.js";
import { mapPicture, tileSheet } from "../../ui/maps.js";
import { showLegend } from "../../ui/pictures.js";
import { gridTable, mountTables } from "../../ui/tables.js";
import { placeOf } from "../convolution/field.js";
import { scaleOf, tileName, tilesOf } from "./tiles.js";

/** @typedef {LayerState<{ tile: number, cell: number }, "values">} TensorState */

/** @type {LayerMount<TensorState>} */
export function mount(root, store, actions, _services, layer) {
  const shape = findElement(root, "[data-shape]");
  const title = findElement(root, "[data-tiles-title]");
  const name = findElement(root, "[data-tile-title]");
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const tables = mountTables(root);

  const sheet = tileSheet(findElement(root, "[data-tiles]"), {
    across: () => tilesOf(shown().values.shape).across,
    choose: (tile) => store.set({ tile }),
    hover: tell,
  });
  const picture = mapPicture(findElement(root, "[data-tile]"), {
    chosen: () => shown().place,
    choose: ({ row, column }) =>
      store.set({ cell: row * tilesOf(shown().values.shape).columns + column }),
    hover(at) {
      picture.point(at);
      tell(at && { tile: shown().tile, ...at });
    },
    note: (at) => words({ tile: shown().tile, ...at }),
  });

  /** What was complete last. */
  function shown() {
    const state = store.shown();
    const values = state?.trace.tensors.values ?? {
      shape: [1],
      data: new Float32Array(1),
    };
    const { columns } = tilesOf(values.shape);
    const { tile, cell } = state ?? { tile: 0, cell: 0 };
    return { values, tile, place: placeOf(cell, columns) };
  }

  /** @param {At} at */
  function words({ tile, row, column }) {
    const { shape, data } = shown().values;
    const { rows, columns } = tilesOf(shape);
    const at = rows > 1 ? `row ${row}, column ${column}` : `number ${column}`;
    return `${tileName(shape, tile)}, ${at}: ${fixed(data[(tile * rows + row) * columns + column], 4)}`;
  }

  /** Tell of what is pointed at, else of the chosen cell. @param {At | null} at */
  function tell(at) {
    const { tile, place } = shown();
    setText(readout, capitalized(words(at ?? { tile, ...place })));
    const model = store.get()?.model;
    if (model) actions.lookAt(at && layer.field(model, at.row, at.column, at.tile));
  }

  const tilesIn = memoize((/** @type {Tensor} */ values) => {
    const { count, rows, columns, gap } = tilesOf(values.shape);
    const scale = scaleOf(values);
    return {
      ...{ values: values.data, count, rows, columns, gap, scaleOf: () => scale },
      order: Array.from({ length: count }, (_, tile) => tile),
    };
  });
  const list = memoize((/** @type {Tensor} */ values, /** @type {number} */ tile) => {
    const { rows, columns } = tilesOf(values.shape);
    const size = rows * columns;
    const own = values.data.subarray(tile * size, (tile + 1) * size);
    return [gridTable(capitalized(tileName(values.shape, tile)), own, columns)];
  });

  store.watch(["trace", "model", "tile", "cell"], ({ trace, tile, cell }) => {
    const { values } = trace.tensors;
    const tiles = tilesIn(values);
    const { count, rows, columns, order } = tiles;
    setText(shape, values.shape.join("×"));
    setText(title, count === 1 ? "All values" : `All ${count} tiles`);
    setText(name, capitalized(tileName(values.shape, tile)));
    sheet.show(tiles, order, tile);
    picture.show(
      values.data.subarray(tile * rows * columns, (tile + 1) * rows * columns),
      columns,
      tiles.scaleOf(),
    );
    picture.choose(placeOf(cell, columns));
    showLegend(legend, tiles.scaleOf(), { unit: "value", decimals: 3 });
    tables.show(list(values, tile));
    tell(null);
  });
}
