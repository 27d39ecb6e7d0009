/**
 * All kernels, or all maps, of a layer in one picture.
 * @import { Scale } from "../../lib/color.js"
 * @import { Tensor } from "../../types.js"
 * @import { At, Tiles } from "../../ui/maps.js"
 * @import { Field, LayerLook, ReadLayer } from "./types.js"
 */
import { acrossSquare } from "../../geometry/tiles.js";
import { fieldAt, ITSELF } from "../../geometry/windows.js";
import { ranked, reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { channelName, isColour } from "../../lib/pixels.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { findElement, setText } from "../../ui/dom.js";
import { tileSheet } from "../../ui/maps.js";
import { showLegend } from "../../ui/pictures.js";
import {
  DEAD,
  deadWords,
  energies,
  extremes,
  inColours,
  mosaics,
  sliceLayout,
  weightName,
} from "./maps.js";

/** Tiles stay large enough for a finger, and their cells for an eye. */
const WHEN_NARROW = { across: 12, cells: 270 };

/** What the tiles are, in words. */
const WORDS = {
  kernels: { one: "kernel", unit: "kernel weight" },
  colours: { one: "kernel", unit: "kernel weight" },
  pre: { one: "map", unit: "activation before ReLU" },
  relu: { one: "map", unit: "activation after ReLU" },
  out: { one: "map", unit: "activation after batch norm" },
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

/** All weights of a kernel one below the other, to be measured. */
const allWeights = memoizeByObject(
  (/** @type {Tensor} */ kernels) => kernels,
  ({ shape: [count, slices, rows, columns], data }) => ({
    shape: [count, slices * rows, columns],
    data,
  }),
);

const IN_COLOURS =
  "Grey is a weight of 0; a pixel is the more red, green or blue, the larger the weight for that channel.";

/**
 * @typedef {object} SheetActions
 * @property {(field: Field | null) => void} lookAt
 * @property {(map: number) => void} chooseMap
 * @property {(look: Partial<LayerLook>) => void} lookAtLayer
 */

/** What the tiles show. @typedef {keyof typeof WORDS} Mode */

/** @param {HTMLElement} root @param {SheetActions} actions */
export function mountSheet(root, actions) {
  const title = findElement(root, "[data-title]");
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const note = findElement(root, "[data-scale-note]");
  const dead = findElement(root, "[data-dead]");
  const kernelNote = root.querySelector("[data-kernel-note]");
  const choices = mountChoices(root, actions);
  /** @type {{ layer: ReadLayer, map: number, look: LayerLook, mode: Mode } | null} */
  let shown = null;

  const sheet = tileSheet(findElement(root, "[data-sheet] .overlaid"), {
    across: acrossOf,
    choose: actions.chooseMap,
    hover(at) {
      tell(at);
      const seen = shown === null || isOfKernels(shown.mode) ? null : shown.layer.reach;
      actions.lookAt(at && seen ? fieldAt(seen, at) : null);
    },
  });

  const measure = memoize(energies);
  const sort = memoize(
    (/** @type {Float64Array} */ energy, /** @type {boolean} */ isSorted) =>
      isSorted ? ranked(energy) : Array.from(energy, (_, map) => map),
  );
  const measureTiles = memoize(extremes);
  const tilesOf = memoize(tilesFrom);
  const colourTilesOf = memoize(colourTilesFrom);

  /** @param {{ layer: ReadLayer, look: LayerLook, mode: Mode }} of */
  function tilesNow({ layer, look, mode }) {
    if (mode === "colours") {
      const { low, high } = measureTiles(allWeights(layer.kernels));
      return colourTilesOf(layer.kernels, low, high, look.scale === "tile");
    }
    const tensor = mode === "kernels" ? kernelTiles(layer.kernels) : layer[mode];
    const gap = mode !== "kernels" ? "maps" : hasSlices(layer) ? "mosaics" : "kernels";
    const isSigned = mode !== "relu";
    const isPerTile = look.scale === "tile";
    return tilesOf(tensor, measureTiles(tensor), GAPS[gap], isSigned, isPerTile);
  }

  /** @param {At | null} at */
  function tell(at) {
    if (shown === null) return;
    const { layer, map, mode } = shown;
    const tile = at?.tile ?? map;
    const energy = measure(layer.relu)[tile];
    setText(readout, tileWords(layer, mode, tilesNow(shown), tile, energy, at));
  }

  const show = memoize(
    (
      /** @type {ReadLayer} */ layer,
      /** @type {number} */ map,
      /** @type {LayerLook} */ look,
    ) => {
      choices.show(look, readsImage(layer) && isColour(layer.pixels));
      if (look.shown === "own") {
        shown = null;
        setText(title, "Your own kernel");
        return;
      }
      const mode = look.shown;
      shown = { layer, map, look, mode };
      const { one, unit } = WORDS[mode];
      const isPerTile = look.scale === "tile";
      const tiles = tilesNow(shown);
      sheet.show(tiles, sort(measure(layer.relu), look.order === "energy"), map);
      kernelNote?.toggleAttribute("hidden", mode !== "kernels");
      legend.hidden = mode === "colours";
      setText(title, `All ${tiles.count} ${one}s`);
      const whose = isPerTile ? `${unit}, ${one} ${map}` : unit;
      showLegend(legend, tiles.scaleOf(map), { unit: whose, decimals: 3 });
      setText(
        note,
        isPerTile
          ? `Each ${one} has its own scale: do not compare colours between ${one}s.`
          : `One scale for all ${one}s.${channelsNote(layer, mode)}`,
      );
      setText(
        dead,
        isOfKernels(mode) ? "" : deadWords(measure(layer.relu), layer.responding),
      );
      tell(sheet.pointed());
    },
  );
  return { show };
}

/**
 * What the tiles show, in which order and on which scales. With a kernel of one's own there
 * are no tiles.
 * @param {HTMLElement} root @param {Pick<SheetActions, "lookAtLayer">} actions
 */
function mountChoices(root, { lookAtLayer }) {
  const modes = findElement(root, "[data-modes]");
  const orders = findElement(root, "[data-orders]");
  const scales = findElement(root, "[data-scales]");
  const body = findElement(root, "[data-sheet]");
  const colours = findElement(modes, "[data-value=colours]");
  listenToChoices(modes, (value) =>
    lookAtLayer({ shown: /** @type {LayerLook["shown"]} */ (value) }),
  );
  listenToChoices(orders, (value) =>
    lookAtLayer({ order: value === "energy" ? value : "number" }),
  );
  listenToChoices(scales, (value) =>
    lookAtLayer({ scale: value === "tile" ? value : "layer" }),
  );
  return {
    /** @param {LayerLook} look @param {boolean} hasColours whether kernels have colours */
    show({ shown, order, scale }, hasColours) {
      colours.hidden = !hasColours;
      pressChoice(modes, shown);
      pressChoice(orders, order);
      pressChoice(scales, scale);
      for (const part of [body, orders, scales]) part.hidden = shown === "own";
    },
  };
}

/**
 * @param {ReadLayer} layer @param {Mode} mode
 * @param {Tiles & ReturnType<typeof extremes>} tiles @param {number} tile
 * @param {number} energy of the tile
 * @param {At | null} at a cell of the tile
 */
function tileWords(layer, mode, { low, high, ...tiles }, tile, energy, at) {
  const words = [
    `${WORDS[mode].one} ${tile}: min ${fixed(low[tile])}, max ${fixed(high[tile])}`,
    energy === 0
      ? `${isOfKernels(mode) ? "its map is " : ""}${DEAD}`
      : `energy ${fixed(energy, 2)}`,
  ];
  if (at !== null && mode === "colours") {
    const { shape, data } = layer.kernels;
    const [, slices, rows, columns] = shape;
    const weights = Array.from({ length: slices }, (_, slice) => {
      const i = ((tile * slices + slice) * rows + at.row) * columns + at.column;
      return `${channelName(slice, slices)} ${fixed(data[i])}`;
    });
    words.push(`row ${at.row}, column ${at.column}: ${weights.join(", ")}`);
  } else if (at !== null) {
    const { rows, columns, values } = tiles;
    const value = values[(tile * rows + at.row) * columns + at.column];
    if (!Number.isNaN(value)) words.push(`${nameOf(layer, mode, at)}: ${fixed(value)}`);
  }
  return words.join("; ");
}

/** @param {ReadLayer} layer @param {Mode} mode @param {At} cell of a tile */
function nameOf(layer, mode, cell) {
  if (mode !== "kernels" || !hasSlices(layer))
    return `row ${cell.row}, column ${cell.column}`;
  const [, slices, rows, columns] = layer.kernels.shape;
  const { channels } = layer.pixels;
  const nameOf = (/** @type {number} */ slice) => channelName(slice, channels);
  return weightName(
    sliceLayout(slices, { rows, columns }),
    cell,
    readsImage(layer) ? nameOf : undefined,
  );
}

/** @param {Mode} mode */
const isOfKernels = (mode) => mode === "kernels" || mode === "colours";

/** @param {ReadLayer} layer whether its kernels read the image, not maps of a layer below */
const readsImage = ({ reachBelow }) => reachBelow === ITSELF;

/**
 * How kernels stand for the channels of an image.
 * @param {ReadLayer} layer @param {Mode} mode
 */
function channelsNote(layer, mode) {
  if (mode === "colours") return ` ${IN_COLOURS}`;
  return mode === "kernels" && readsImage(layer) && isColour(layer.pixels)
    ? " A kernel has a slice for each channel: red and green, and blue below."
    : "";
}

/** @param {ReadLayer} layer whether its kernels read several maps */
const hasSlices = ({ kernels }) => kernels.shape[1] > 1;

/**
 * Kernels in the colours that they read.
 * @param {Tensor} kernels (count, 3, rows, columns)
 * @param {Float32Array} low @param {Float32Array} high of each
 * @param {boolean} isPerTile whether each has a scale of its own
 * @returns {ReturnType<typeof tilesFrom>}
 */
function colourTilesFrom({ shape, data }, low, high, isPerTile) {
  const [count, slices, rows, columns] = shape;
  const tensor = { shape: [count, rows, columns], data };
  const tiles = tilesFrom(tensor, { low, high }, GAPS.kernels, true, isPerTile);
  const size = slices * rows * columns;
  const mosts = Array.from(low, (_, tile) => tiles.scaleOf(tile).high);
  const colours = inColours(data, (i) => mosts[Math.floor(i / size)]);
  return { ...tiles, colours };
}

/**
 * @param {Tensor} tensor (count, rows, columns); no number where no weight stands
 * @param {ReturnType<typeof extremes>} extremes of each tile
 * @param {number} gap @param {boolean} isSigned
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

/** Tiles in a row. @param {Tiles} tiles @param {boolean} isNarrow */
function acrossOf({ count, columns, gap = 1 }, isNarrow) {
  const square = acrossSquare(count);
  if (!isNarrow) return square;
  const { across, cells } = WHEN_NARROW;
  return Math.max(1, Math.min(square, across, Math.floor(cells / (columns + gap))));
}
