/**
 * The chosen map: what its kernel sees, the kernel, and the map before and after ReLU.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { Field } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Conv1 } from "./conv1.js"
 */
import { fieldOfPixel } from "../geometry/receptive-field.js";
import { diverging, ink, sequential } from "../lib/color.js";
import { mapOf } from "../lib/maps.js";
import { fixed } from "../lib/number.js";
import { onChange } from "../lib/on-change.js";
import { reach } from "../lib/rank.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findCanvas, findElement } from "../parts/find.js";
import { pickFromGrid } from "../parts/grid-picker.js";
import { inputPicture } from "../parts/input-picture.js";
import { showLegend } from "../parts/legend.js";
import { fitToPicture, frameCell } from "../parts/marks.js";
import { valueTable } from "../parts/value-table.js";

/** @typedef {{ row: number, column: number }} Place */

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountDetail(root, actions) {
  const title = findElement(root, "[data-map-title]");
  const readout = findElement(root, "[data-map-readout]");
  const input = inputPicture(findElement(root, "[data-input]"));
  const kernelPicture = findCanvas(root, "[data-kernel] canvas");
  const before = mountMap(findElement(root, "[data-before]"));
  const after = mountMap(findElement(root, "[data-after]"));
  const folder = find(root, "details.numbers", HTMLDetailsElement);
  const tables = findElement(root, "[data-tables]");
  /** @type {Conv1 | null} */
  let layer = null;
  let map = 0;
  let pixel = 0;

  showLegend(findElement(root, "[data-input-legend]"), ink(), {
    unit: "ink",
    decimals: 0,
  });

  const showMap = onChange(
    (
      /** @type {Conv1} */ { kernels, pre, relu, sizes },
      /** @type {number} */ mapNow,
    ) => {
      const weights = mapOf(kernels.kernels, mapNow);
      const [, rows, columns] = kernels.kernels.shape;
      const scale = diverging(reach(weights) || 1);
      paintHeatmap(kernelPicture, weights, { rows, columns, scale });
      showLegend(findElement(root, "[data-kernel-legend]"), scale, {
        unit: "kernel weight",
        decimals: 3,
      });

      const maps = { pre: mapOf(pre, mapNow), relu: mapOf(relu, mapNow) };
      const [, mapRows, mapColumns] = pre.shape;
      const layout = {
        count: 1,
        across: 1,
        rows: mapRows,
        columns: mapColumns,
        gap: 0,
      };
      const preScale = diverging(reach(maps.pre) || 1);
      const reluScale = sequential(0, reach(maps.relu) || 1);
      before.show(maps.pre, layout, preScale);
      after.show(maps.relu, layout, reluScale);
      showLegend(before.legend, preScale, { unit: "activation", decimals: 2 });
      showLegend(after.legend, reluScale, { unit: "activation", decimals: 2 });
      findElement(root, "[data-kernel-name]").textContent = `kernel ${mapNow}`;
      findElement(root, "[data-bias]").textContent =
        `bias ${fixed(kernels.bias.data[mapNow])}`;
      findElement(root, "[data-field-size]").textContent =
        `${sizes.kernel_size}×${sizes.kernel_size}`;
    },
  );
  const showInput = onChange(
    (/** @type {Conv1["pixels"]} */ pixels, /** @type {number} */ side) =>
      input.show(pixels, side),
  );

  /** @returns {Place} */
  function chosenPlace() {
    const columns = layer?.pre.shape[2] ?? 1;
    return { row: Math.floor(pixel / columns), column: pixel % columns };
  }

  /** @param {Place | null} pointed */
  function tell(pointed) {
    if (layer === null) return;
    before.point(pointed);
    after.point(pointed);
    const { row, column } = pointed ?? chosenPlace();
    const at = row * layer.pre.shape[2] + column;
    const values = [mapOf(layer.pre, map)[at], mapOf(layer.relu, map)[at]];
    readout.textContent = `row ${row}, column ${column}: before ${fixed(values[0])}, after ${fixed(values[1])}`;
  }

  function fillTables() {
    if (!folder.open || layer === null) return;
    const { kernels, pre, relu } = layer;
    tables.replaceChildren(
      ...captioned(`Kernel ${map}`, kernels.kernels, map),
      ...captioned(`Map ${map} before ReLU`, pre, map),
      ...captioned(`Map ${map} after ReLU`, relu, map),
    );
  }
  folder.addEventListener("toggle", fillTables);
  const refillTables = onChange(
    (/** @type {Conv1} */ _layer, /** @type {number} */ _map) => fillTables(),
  );

  for (const { canvas, layout } of [before, after]) {
    pickFromGrid(canvas, {
      layout: () => layer && layout(),
      step: "cell",
      chosen: () => ({ place: 0, ...chosenPlace() }),
      choose: ({ row, column }) => actions.choosePixel(row * layout().columns + column),
      hover(cell) {
        tell(cell);
        const field = cell && layer && fieldOfPixel(layer.sizes, cell.row, cell.column);
        actions.lookAt(field);
      },
    });
  }

  return {
    /**
     * @param {Conv1} layerNow
     * @param {number} mapNow
     * @param {number} pixelNow row * columns + column
     */
    show(layerNow, mapNow, pixelNow) {
      layer = layerNow;
      map = mapNow;
      pixel = pixelNow;
      const place = chosenPlace();
      title.textContent = `Map ${map} at row ${place.row}, column ${place.column}`;
      showInput(layer.pixels, layer.sizes.image_size);
      showMap(layer, map);
      input.frame(fieldOfPixel(layer.sizes, place.row, place.column));
      before.choose(place);
      after.choose(place);
      tell(null);
      refillTables(layer, map);
    },

    /** @param {Field | null} field */
    lookAt: (field) => input.point(field),
  };
}

/** @param {HTMLElement} root one of the two maps */
function mountMap(root) {
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg", SVGSVGElement);
  const chosen = find(overlay, ".chosen", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  /** @type {Layout} */
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: 0 };
  return {
    canvas,
    legend: findElement(root, "[data-legend]"),
    layout: () => layout,
    /**
     * @param {Float32Array} values
     * @param {Layout} layoutNow
     * @param {import("../lib/color.js").Scale} scale
     */
    show(values, layoutNow, scale) {
      layout = layoutNow;
      paintHeatmap(canvas, values, { ...layout, scale });
      fitToPicture(overlay, layout);
    },
    /** @param {Place} place */
    choose: (place) => frameCell(chosen, layout, { place: 0, ...place }),
    /** @param {Place | null} place */
    point: (place) => frameCell(pointed, layout, place && { place: 0, ...place }),
  };
}

/**
 * @param {string} name
 * @param {import("../types.js").Tensor} tensor (maps, rows, columns)
 * @param {number} map
 */
function captioned(name, tensor, map) {
  const [, rows, columns] = tensor.shape;
  const heading = document.createElement("h4");
  heading.textContent = name;
  return [heading, valueTable(mapOf(tensor, map), { rows, columns, corner: "row" })];
}
