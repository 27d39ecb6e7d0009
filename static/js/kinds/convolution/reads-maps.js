/**
 * How a pixel of a map comes about where kernels read the maps of a layer below: with a
 * slice for each of them, whose sums are summed.
 * @import { Panel } from "../../ui/panel.js"
 * @import { Part, PartActions } from "./focus.js"
 * @import { Place, Pointing, Reading, Scene } from "./types.js"
 */

import { acrossSquare } from "../../geometry/tiles.js";
import { sizeWords } from "../../geometry/windows.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { findElement, setText } from "../../ui/dom.js";
import { h } from "../../ui/h.js";
import { tileSheet } from "../../ui/maps.js";
import { showLegend } from "../../ui/pictures.js";
import { mapValues } from "../../ui/values.js";
import { beneathPicture, fieldOfCell } from "./beneath.js";
import { mapTables } from "./focus.js";
import { mapOf } from "./maps.js";
import { normFormula } from "./norm.js";
import { biasedSum } from "./products.js";
import { sumAt } from "./reading.js";

/**
 * @param {HTMLElement} root @param {PartActions} actions
 * @returns {Part}
 */
export function mapsPart(root, { lookAt, chooseMap, keep }) {
  const slices = mountSlices(findElement(root, "[data-kernel]"), chooseMap);
  /** @type {ReturnType<typeof beneathOf> | null} */
  let lying = null;
  return {
    point(cell) {
      if (cell) keep({ cell });
      lookAt(cell && lying && fieldOfCell(lying, cell));
    },
    show(reading, place, { mapBelow }) {
      lying = beneathOf({ reading }, place);
      slices.show(reading, mapBelow);
    },
    overInput: (pixel) =>
      lookAt(pixel && { row: pixel.row, column: pixel.column, size: 1 }),
  };
}

/** What lies beneath a pixel. @param {Pick<Scene, "reading">} scene @param {Place} place */
export function beneathOf({ reading }, { row, column }) {
  const { field: window, parts } = sumAt(reading, row, column);
  return { maps: reading.below, reach: reading.reachBelow, window, parts };
}

/** @type {Panel<Scene & { pointed: Pointing }>} */
export const beneath = {
  id: "beneath",
  look: "layer-arithmetic",
  title: "The sum behind this pixel",
  picture(scene, { point, ...actions }) {
    const { id, reading, map, mapBelow, beneath: look, words, pointed } = scene;
    const place = pointed.pixel ?? scene.place;
    const shown = beneathOf(scene, place);
    const { parts, window } = shown;
    const traced = reading.before[place.row * reading.across + place.column];
    const chosen = { map: mapBelow, look, name: "before ReLU", traced };
    return [
      h("p", { class: "fine" }, [
        `At row ${place.row}, column ${place.column} of map ${map}, the kernel lies on a window of ${sizeWords(window)} pixels of every map of ${words.below}, and reads each through a slice of its own.`,
      ]),
      biasedSum(parts, `what the ${parts.shares.length} maps below add`),
      normFormula(reading, parts.total),
      beneathPicture(shown, chosen, actions, words, { id, cell: pointed.cell, point }),
    ];
  },
};

/** @type {NonNullable<Panel<Scene>["table"]>} */
export const mapsTable = {
  title: "The maps, the sum and the kernel's slice as tables",
  of(scene) {
    const { reading, place, map, mapBelow, words } = scene;
    const { maps, window, parts } = beneathOf(scene, place);
    const { size, columns = size } = window;
    const kernel = { shape: [maps.shape[0], size, columns], data: parts.weights };
    return [
      ...mapTables(reading),
      {
        caption: `What each map of ${words.below} adds to the chosen pixel of map ${map}`,
        ...{ of: "map", columns: [["adds", parts.shares]] },
      },
      mapValues(
        `Map ${mapBelow} of ${words.below}`,
        mapOf(maps, mapBelow),
        maps.shape[2],
      ),
      mapValues(
        `Slice of kernel ${map} for map ${mapBelow}`,
        mapOf(kernel, mapBelow),
        columns,
      ),
    ];
  },
};

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
