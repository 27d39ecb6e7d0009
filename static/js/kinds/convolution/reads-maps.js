/**
 * How a pixel of a map comes about where kernels read the maps of a layer below: with a
 * slice for each of them, whose sums are summed.
 * @import { Layer } from "../types.js"
 * @import { BeneathActions } from "./beneath.js"
 * @import { Part } from "./focus.js"
 * @import { Place, Reading } from "./types.js"
 */

import { acrossSquare } from "../../geometry/tiles.js";
import { fieldAt } from "../../geometry/windows.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { findElement, setText, writer } from "../../ui/dom.js";
import { tileSheet } from "../../ui/maps.js";
import { showLegend } from "../../ui/pictures.js";
import { gridTable } from "../../ui/tables.js";
import { mountBeneath } from "./beneath.js";
import { mapTables } from "./focus.js";
import { mapOf } from "./maps.js";
import { isNormed } from "./norm.js";
import { writeSum } from "./products.js";
import { summed } from "./reading.js";

/**
 * @param {HTMLElement} root @param {BeneathActions} actions @param {Layer} layer
 * @returns {Part}
 */
export function mapsPart(root, actions, layer) {
  const lower = layer.network.find(({ id }) => id === layer.below);
  const below = lower?.title ?? "";
  const panel = findElement(root, "[data-beneath]");
  const slices = mountSlices(findElement(root, "[data-kernel]"), actions.chooseMap);
  const beneath = mountBeneath(panel, actions, {
    unit: layer.words.below,
    isSigned: lower !== undefined && isNormed(lower),
    reader: "slice",
    check: `Worked out on this page from ${below}'s maps`,
    precision: "maps come in half precision, which keeps about three digits",
  });
  const write = writer(panel);

  const workOut = memoize(
    (
      /** @type {Reading} */ reading,
      /** @type {number} */ row,
      /** @type {number} */ column,
    ) => {
      const window = fieldAt(reading.window, { row, column });
      const { below: maps, reachBelow, weights, bias } = reading;
      const parts = summed(maps, weights, bias, window);
      return { maps, reach: reachBelow, window, parts };
    },
  );
  const list = memoize(
    (
      /** @type {Reading} */ reading,
      /** @type {ReturnType<typeof workOut>} */ { maps, window, parts },
      /** @type {number} */ map,
      /** @type {number} */ mapBelow,
    ) => {
      const [count, , columns] = maps.shape;
      const { size, columns: width = size } = window;
      const kernel = { shape: [count, size, width], data: parts.weights };
      return [
        ...mapTables(reading),
        {
          name: `What each map of ${below} adds to the chosen pixel of map ${map}`,
          values: parts.shares,
          options: { rows: 1, columns: count, corner: "map", rowNames: ["adds"] },
        },
        gridTable(`Map ${mapBelow} of ${below}`, mapOf(maps, mapBelow), columns),
        gridTable(
          `Slice of kernel ${map} for map ${mapBelow}`,
          mapOf(kernel, mapBelow),
          width,
        ),
      ];
    },
  );

  return {
    panel,
    show: (reading, _place, { mapBelow }) => slices.show(reading, mapBelow),
    explain(reading, place, { map, mapBelow, beneath: look }) {
      const shown = workOut(reading, place.row, place.column);
      const { parts } = shown;
      write("pixel", `row ${place.row}, column ${place.column} of map ${map}`);
      write("count", String(parts.shares.length));
      writeSum(write, parts);
      const traced = reading.before[place.row * reading.across + place.column];
      beneath.show(shown, { map: mapBelow, look, name: "before ReLU", traced });
      return parts.total;
    },
    overInput: (pixel) =>
      actions.lookAt(pixel && { row: pixel.row, column: pixel.column, size: 1 }),
    list: (reading, { row, column }, { map, mapBelow }) =>
      list(reading, workOut(reading, row, column), map, mapBelow),
  };
}

/**
 * The kernel of the chosen map: a slice for each map below, to choose one.
 * @param {HTMLElement} root a figure
 * @param {(map: number) => void} choose a map below
 */
function mountSlices(root, choose) {
  const name = findElement(root, "[data-kernel-name]");
  const slice = findElement(root, "[data-slice]");
  const legend = findElement(root, "[data-legend]");
  /** @type {{ reading: Reading, below: number } | null} */
  let shown = null;

  const sheet = tileSheet(findElement(root, ".overlaid"), {
    across: ({ count }) => acrossSquare(count),
    choose,
    hover: tell,
  });
  const tilesOf = memoize(
    (/** @type {Reading} */ { weights, kernel: { rows, columns } }) => {
      const scale = diverging(reach(weights) || 1);
      const count = weights.length / (rows * columns);
      return {
        ...{ values: weights, count, rows, columns, gap: 1 },
        order: Array.from({ length: count }, (_, map) => map),
        scaleOf: () => scale,
      };
    },
  );

  /** @param {{ tile: number } & Place | null} at */
  function tell(at) {
    if (shown === null) return;
    const { reading, below } = shown;
    if (at === null) return setText(slice, `slice for map ${below} framed`);
    const { tile, row, column } = at;
    const { rows, columns } = reading.kernel;
    const weight = reading.weights[(tile * rows + row) * columns + column];
    setText(
      slice,
      `slice for map ${tile}, row ${row}, column ${column}: ${fixed(weight)}`,
    );
  }

  return {
    /** @param {Reading} reading @param {number} below */
    show(reading, below) {
      shown = { reading, below };
      const tiles = tilesOf(reading);
      sheet.show(tiles, tiles.order, below);
      showLegend(legend, tiles.scaleOf(), { unit: "kernel weight", decimals: 3 });
      setText(name, `${reading.kernelName}, bias ${fixed(reading.bias)}`);
      tell(null);
    },
  };
}
