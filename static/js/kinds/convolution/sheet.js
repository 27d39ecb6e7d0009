/**
 * All kernels, or all maps, of a layer in one picture.
 * @import { Scale } from "../../lib/color.js"
 * @import { Tensor } from "../../types.js"
 * @import { At, Tiles } from "../../ui/maps.js"
 * @import { Field, LayerLook, ReadLayer } from "./types.js"
 */
import { acrossSquare } from "../../geometry/tiles.js";
import { ranked, reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { findElement, setText } from "../../ui/dom.js";
import { tileSheet } from "../../ui/maps.js";
import { showLegend } from "../../ui/pictures.js";
import { fieldAt } from "./field.js";
import { energies, extremes, mosaics, sliceLayout, weightName } from "./maps.js";

/** Tiles stay large enough for a finger, and their cells for an eye. */
const WHEN_NARROW = { across: 12, cells: 270 };

/** What the tiles are, in words. */
const WORDS = {
  kernels: { one: "kernel", unit: "kernel weight" },
  pre: { one: "map", unit: "activation before ReLU" },
  relu: { one: "map", unit: "activation after ReLU" },
};

/** Cells between tiles; of kernels more than between the slices of one. */
const GAPS = { maps: 2, kernels: 1, mosaics: 3 };

/** Kernels as pictures: the same whatever the image. */
const kernelTiles = memoizeByObject(
  (/** @type {Tensor} */ kernels) => kernels,
  (kernels) => {
    const [count, slices, rows, columns] = kernels.shape;
    return slices > 1
      ? mosaics(kernels)
      : { shape: [count, rows, columns], data: kernels.data };
  },
);

/**
 * @typedef {object} SheetActions
 * @property {(field: Field | null) => void} lookAt
 * @property {(map: number) => void} chooseMap
 * @property {(look: Partial<LayerLook>) => void} lookAtLayer
 */

/**
 * @param {HTMLElement} root
 * @param {SheetActions} actions
 */
export function mountSheet(root, actions) {
  const title = findElement(root, "[data-title]");
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const note = findElement(root, "[data-scale-note]");
  const modes = findElement(root, "[data-modes]");
  const orders = findElement(root, "[data-orders]");
  const scales = findElement(root, "[data-scales]");
  const kernelNote = root.querySelector("[data-kernel-note]");
  const body = findElement(root, "[data-sheet]");
  /** @type {keyof typeof WORDS} */
  let mode = "relu";
  /** @type {{ layer: ReadLayer, map: number, look: LayerLook } | null} */
  let shown = null;

  const sheet = tileSheet(findElement(body, ".overlaid"), {
    across: acrossOf,
    choose: actions.chooseMap,
    hover(at) {
      tell(at);
      const seen = mode === "kernels" ? null : shown?.layer.reach;
      actions.lookAt(at && seen ? fieldAt(seen, at) : null);
    },
  });
  listenToChoices(modes, (value) =>
    actions.lookAtLayer({ shown: /** @type {LayerLook["shown"]} */ (value) }),
  );
  listenToChoices(orders, (value) =>
    actions.lookAtLayer({ order: value === "energy" ? value : "number" }),
  );
  listenToChoices(scales, (value) =>
    actions.lookAtLayer({ scale: value === "tile" ? value : "layer" }),
  );

  const measure = memoize(energies);
  const sort = memoize(
    (/** @type {Float64Array} */ energy, /** @type {boolean} */ isSorted) =>
      isSorted ? ranked(energy) : Array.from(energy, (_, map) => map),
  );
  const measureTiles = memoize(extremes);
  const tilesOf = memoize(tilesFrom);

  /** @param {Readonly<{ layer: ReadLayer, look: LayerLook }>} of */
  function tilesNow({ layer, look }) {
    const tensor = mode === "kernels" ? kernelTiles(layer.kernels) : layer[mode];
    const gap = mode !== "kernels" ? "maps" : hasSlices(layer) ? "mosaics" : "kernels";
    const isSigned = mode !== "relu";
    return tilesOf(
      tensor,
      measureTiles(tensor),
      GAPS[gap],
      isSigned,
      look.scale === "tile",
    );
  }

  function draw() {
    if (shown === null || shown.look.shown === "own") return;
    const { layer, map, look } = shown;
    const { one, unit } = WORDS[mode];
    const isPerTile = look.scale === "tile";
    const tiles = tilesNow(shown);
    sheet.show(tiles, sort(measure(layer.relu), look.order === "energy"), map);
    kernelNote?.toggleAttribute("hidden", mode !== "kernels");
    setText(title, `All ${tiles.count} ${one}s`);
    const whose = isPerTile ? `${unit}, ${one} ${map}` : unit;
    showLegend(legend, tiles.scaleOf(map), { unit: whose, decimals: 3 });
    setText(
      note,
      isPerTile
        ? `Each ${one} has its own scale: do not compare colours between ${one}s.`
        : `One scale for all ${one}s.`,
    );
    tell(sheet.pointed());
  }

  /** @param {At | null} at */
  function tell(at) {
    if (shown === null || shown.look.shown === "own") return;
    const { layer, map } = shown;
    const tile = at?.tile ?? map;
    const tiles = tilesNow(shown);
    const words = [
      `${WORDS[mode].one} ${tile}: min ${fixed(tiles.low[tile])}, max ${fixed(tiles.high[tile])}`,
      `energy ${fixed(measure(layer.relu)[tile], 2)}`,
    ];
    if (at !== null) {
      const { rows, columns, values } = tiles;
      const value = values[(tile * rows + at.row) * columns + at.column];
      if (!Number.isNaN(value)) words.push(`${nameOf(layer, at)}: ${fixed(value)}`);
    }
    setText(readout, words.join("; "));
  }

  /** @param {ReadLayer} layer @param {At} cell of a tile */
  function nameOf(layer, cell) {
    if (mode !== "kernels" || !hasSlices(layer))
      return `row ${cell.row}, column ${cell.column}`;
    const [, slices, size] = layer.kernels.shape;
    return weightName(sliceLayout(slices, size), cell);
  }

  const update = memoize(
    (
      /** @type {ReadLayer} */ layer,
      /** @type {number} */ map,
      /** @type {LayerLook} */ look,
    ) => {
      shown = { layer, map, look };
      pressChoice(modes, look.shown);
      pressChoice(orders, look.order);
      pressChoice(scales, look.scale);
      const isOwn = look.shown === "own";
      for (const part of [body, orders, scales]) part.hidden = isOwn;
      if (look.shown === "own") setText(title, "Your own kernel");
      else mode = look.shown;
      draw();
    },
  );
  return { show: update };
}

/** @param {ReadLayer} layer whether its kernels read several maps */
const hasSlices = ({ kernels }) => kernels.shape[1] > 1;

/**
 * @param {Tensor} tensor (count, rows, columns); no number where no weight stands
 * @param {ReturnType<typeof extremes>} extremes of each tile
 * @param {number} gap
 * @param {boolean} isSigned
 * @param {boolean} isPerTile whether each tile has a scale of its own
 * @returns {Tiles & ReturnType<typeof extremes> & { scaleOf: (tile: number) => Scale }}
 */
function tilesFrom({ shape, data }, { low, high }, gap, isSigned, isPerTile) {
  const [count, rows, columns] = shape;
  const most = Math.max(reach(low), reach(high));
  return {
    ...{ values: data, count, rows, columns, gap, low, high },
    scaleOf(tile) {
      const largest = isPerTile ? Math.max(-low[tile], high[tile]) : most;
      // All zero: any scale that starts at zero is true.
      return isSigned ? diverging(largest || 1) : sequential(0, largest || 1);
    },
  };
}

/**
 * Tiles in a row.
 * @param {Tiles} tiles
 * @param {boolean} isNarrow
 */
function acrossOf({ count, columns, gap = 1 }, isNarrow) {
  const square = acrossSquare(count);
  if (!isNarrow) return square;
  const { across, cells } = WHEN_NARROW;
  return Math.max(1, Math.min(square, across, Math.floor(cells / (columns + gap))));
}
