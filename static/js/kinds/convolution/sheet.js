/**
 * All kernels, or all maps, of a layer in one picture.
 * @import { Tensor } from "../../types.js"
 * @import { At } from "../../draw/sheet.js"
 * @import { Panel } from "../../ui/panel.js"
 * @import { LayerLook, ReadLayer, Scene } from "./types.js"
 */
import { sheet } from "../../draw/sheet.js";
import { legend } from "../../draw/tiles.js";
import { acrossWide } from "../../geometry/tiles.js";
import { fieldAt, ITSELF } from "../../geometry/windows.js";
import { ranked, reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { channelName, isColour } from "../../lib/pixels.js";
import { h, note } from "../../ui/h.js";
import { choices } from "../../ui/inputs.js";
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

const KERNEL = { noun: "kernel", unit: "kernel weight" };
/** What the tiles are, in words. */
const SHOWN = {
  kernels: { ...KERNEL, name: "Kernels" },
  colours: { ...KERNEL, name: "Kernels in colour" },
  pre: { noun: "map", unit: "activation before ReLU", name: "Before ReLU" },
  relu: { noun: "map", unit: "activation after ReLU", name: "After ReLU" },
};
const ORDERS = /** @type {const} */ (["number", "energy"]);
const SCALES = /** @type {const} */ (["layer", "tile"]);

/** What the tiles show. @typedef {LayerLook["mode"]} Mode */

/** Cells between tiles; of kernels more than between the slices of one. */
const GAPS = { maps: 2, kernels: 1, mosaics: 3 };

const SLICES =
  " A kernel has a slice for each map below; its slices stand row by row, in the order of those maps.";
const IN_COLOURS =
  " Grey is a weight of 0; a pixel is the more red, green or blue, the larger the weight for that channel.";
const CHANNELS =
  " A kernel has a slice for each channel: red and green, and blue below.";

const tensorOf = (/** @type {Tensor} */ tensor) => tensor;
const measure = memoizeByObject(tensorOf, energies);
const measureTiles = memoizeByObject(tensorOf, extremes);
const byEnergy = memoizeByObject(tensorOf, (relu) => ranked(measure(relu)));

/** Kernels as pictures: the same whatever the image. */
const kernelTiles = memoizeByObject(tensorOf, (kernels) => mosaics(kernels));

/** All kernels or maps of a layer. @type {Panel<Scene>} */
export const maps = {
  id: "maps",
  look: "layer-maps",
  title: ({ read, look: { mode } }) => `All ${countOf(read)} ${SHOWN[mode].noun}s`,
  picture({ read, map, look }, { set, lookAt }) {
    const shows = showsOf(read);
    /** @param {Partial<LayerLook>} change */
    const change = (change) => set({ look: { ...look, ...change } });
    const mode = look.mode;
    const names = shows.map((mode) => SHOWN[mode].name);
    const tiles = tilesOf(read, mode, look.scale === "tile");
    const chosen = { tile: map, row: 0, column: 0 };
    const { noun, unit } = SHOWN[mode];
    const whose = look.scale === "tile" ? `${unit}, ${noun} ${map}` : unit;
    const [order, scale] = [ORDERS.indexOf(look.order), SCALES.indexOf(look.scale)];
    return [
      h("div", { class: "controls" }, [
        choices("Show", names, shows.indexOf(mode), (at) =>
          change({ mode: shows[at] }),
        ),
      ]),
      h("div", { "data-sheet": "" }, [
        sheet({
          label: "All kernels or maps of the layer",
          ...tiles,
          order: look.order === "energy" ? byEnergy(read.relu) : undefined,
          step: "place",
          chosen,
          choose: ({ tile }) => set({ map: tile }),
          look: (at) =>
            lookAt(at && !isOfKernels(mode) ? fieldAt(read.reach, at) : null),
          words: (at) => tileWords(read, mode, tiles, at, at === chosen),
        }),
      ]),
      h("div", { class: "controls" }, [
        choices("Order", ORDERS, order, (at) => change({ order: ORDERS[at] })),
        choices("Scale", ["whole layer", "each its own"], scale, (at) =>
          change({ scale: SCALES[at] }),
        ),
      ]),
      h("div", { class: "layer-key" }, [
        mode !== "colours" && legend(tiles.scale(map), whose, 3),
        note([
          isOfKernels(mode) ? "" : deadWords(measure(read.relu), read.responding),
          ` ${scaleNote(read, mode, look.scale)}`,
        ]),
      ]),
    ];
  },
  words: ({ read, look: { mode } }) => [
    `Energy: the sum of squares of the map after ReLU.${mode === "kernels" && !readsImage(read) ? SLICES : ""}`,
  ],
};

/** @param {ReadLayer} layer */
const countOf = ({ pre }) => pre.shape[0];

/** @param {Mode} mode */
const isOfKernels = (mode) => SHOWN[mode].noun === "kernel";

/** @param {ReadLayer} layer whether its kernels read the image, not maps of a layer below */
const readsImage = ({ reachBelow }) => reachBelow === ITSELF;

/** @param {ReadLayer} layer */
const readsColours = (layer) => readsImage(layer) && isColour(layer.pixels);

/** What there is to show. @param {ReadLayer} layer */
function showsOf(layer) {
  const all = /** @type {Mode[]} */ (Object.keys(SHOWN));
  return all.filter((mode) => mode !== "colours" || readsColours(layer));
}

const tilesOf = memoize(
  (
    /** @type {ReadLayer} */ layer,
    /** @type {Mode} */ mode,
    /** @type {boolean} */ isPerTile,
  ) => {
    const [count, slices, ...sides] = layer.kernels.shape;
    const kernels = kernelTiles(layer.kernels);
    const colours = { shape: [count, ...sides], data: layer.kernels.data };
    const tensor = { ...layer, kernels, colours }[mode];
    const [, rows, columns] = tensor.shape;
    const { low, high } = measureTiles(isOfKernels(mode) ? kernels : tensor);
    const most = Math.max(reach(low), reach(high));
    const scale = (/** @type {number} */ tile) => {
      const largest = isPerTile ? Math.max(-low[tile], high[tile]) : most;
      // All zero: any scale that starts at zero is true.
      return mode === "relu" ? sequential(0, largest || 1) : diverging(largest || 1);
    };
    const isMosaic = mode === "kernels" && slices > 1;
    const gap = GAPS[isMosaic ? "mosaics" : isOfKernels(mode) ? "kernels" : "maps"];
    const across = acrossWide(count);
    const fitting = Math.max(1, Math.floor(WHEN_NARROW.cells / (columns + gap)));
    const size = slices * rows * columns;
    return {
      data: tensor.data,
      low,
      high,
      scale,
      layout: { count, rows, columns, gap, across },
      narrow: Math.min(across, WHEN_NARROW.across, fitting),
      colours:
        mode === "colours"
          ? inColours(colours.data, (i) => scale(Math.floor(i / size)).high)
          : undefined,
    };
  },
);

/**
 * @param {ReadLayer} layer @param {Mode} mode @param {ReturnType<typeof tilesOf>} tiles
 * @param {At} at @param {boolean} isWhole whether the tile is told, and no cell of it
 */
function tileWords(layer, mode, { low, high, ...tiles }, at, isWhole) {
  const { tile, row, column } = at;
  const energy = measure(layer.relu)[tile];
  const words = [
    `${SHOWN[mode].noun} ${tile}: min ${fixed(low[tile])}, max ${fixed(high[tile])}`,
    energy === 0
      ? `${isOfKernels(mode) ? "its map is " : ""}${DEAD}`
      : `energy ${fixed(energy, 2)}`,
  ];
  if (!isWhole && mode === "colours") {
    const { shape, data } = layer.kernels;
    const [, slices, rows, columns] = shape;
    const weights = Array.from({ length: slices }, (_, slice) => {
      const i = ((tile * slices + slice) * rows + row) * columns + column;
      return `${channelName(slice, slices)} ${fixed(data[i])}`;
    });
    words.push(`row ${row}, column ${column}: ${weights.join(", ")}`);
  } else if (!isWhole) {
    const { rows, columns } = tiles.layout;
    const value = tiles.data[(tile * rows + row) * columns + column];
    if (!Number.isNaN(value)) words.push(`${nameOf(layer, mode, at)}: ${fixed(value)}`);
  }
  return words.join("; ");
}

/** @param {ReadLayer} layer @param {Mode} mode @param {At} cell of a tile */
function nameOf(layer, mode, cell) {
  const [, slices, rows, columns] = layer.kernels.shape;
  if (mode !== "kernels" || slices === 1)
    return `row ${cell.row}, column ${cell.column}`;
  const { channels } = layer.pixels;
  const nameOf = (/** @type {number} */ slice) => channelName(slice, channels);
  return weightName(
    sliceLayout(slices, { rows, columns }),
    cell,
    readsImage(layer) ? nameOf : undefined,
  );
}

/** Whether tiles can be compared, and how kernels stand for the channels of an image. @param {ReadLayer} layer @param {Mode} mode @param {LayerLook["scale"]} scale */
function scaleNote(layer, mode, scale) {
  const { noun } = SHOWN[mode];
  if (scale === "tile")
    return `Each ${noun} has its own scale: do not compare colours between ${noun}s.`;
  const isSliced = mode === "kernels" && readsColours(layer);
  const channels = mode === "colours" ? IN_COLOURS : isSliced ? CHANNELS : "";
  return `One scale for all ${noun}s.${channels}`;
}
