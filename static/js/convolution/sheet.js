/**
 * All kernels, or all maps, of a layer in one picture.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { Scale } from "../lib/color.js"
 * @import { Tensor } from "../types.js"
 * @import { LayerLook, MapsActions, Place, Reach } from "./types.js"
 */
import { acrossSquare } from "../geometry/tiles.js";
import { placesIn, ranked, reach } from "../lib/arithmetic.js";
import { diverging, sequential } from "../lib/color.js";
import { fixed } from "../lib/format.js";
import { memoize } from "../lib/memoize.js";
import { paintTiles } from "../paint/heatmap.js";
import { listenToChoices, pressChoice } from "../ui/controls.js";
import { find, findCanvas, findElement, setText } from "../ui/dom.js";
import { fitToPicture, frameTile, pickFromGrid } from "../ui/grid-picker.js";
import { showLegend } from "../ui/pictures.js";
import { fieldAt } from "./field.js";
import { energies, extremes } from "./maps.js";

const NARROW = "(max-width: 560px)";
/** Tiles stay large enough for a finger, and their cells for an eye. */
const WHEN_NARROW = { across: 12, cells: 270 };

/**
 * A layer as a picture of tiles.
 * @typedef {object} Layer
 * @property {Tensor} kernelTiles (maps, rows, columns); no number where no weight stands
 * @property {Tensor} pre (maps, rows, columns), before ReLU
 * @property {Tensor} relu after ReLU
 * @property {Reach} reach
 * @property {number} [kernelGap] cells between the kernels' tiles; 1 when absent
 * @property {(cell: Place) => string} [weightName] what stands in a cell of such a tile;
 *   row and column when absent
 */

/** What the tiles are, in words. */
const WORDS = {
  kernels: { one: "kernel", unit: "kernel weight" },
  pre: { one: "map", unit: "activation before ReLU" },
  relu: { one: "map", unit: "activation after ReLU" },
};

/**
 * @param {HTMLElement} root
 * @param {MapsActions} actions
 */
export function mountMaps(root, actions) {
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg", SVGSVGElement);
  const chosen = find(overlay, ".chosen", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  const title = findElement(root, "[data-title]");
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  const note = findElement(root, "[data-scale-note]");
  const narrow = matchMedia(NARROW);

  const modes = findElement(root, "[data-modes]");
  const orders = findElement(root, "[data-orders]");
  const scales = findElement(root, "[data-scales]");
  const kernelNote = root.querySelector("[data-kernel-note]");
  const sheet = findElement(root, "[data-sheet]");
  /** @type {"kernels" | "pre" | "relu"} */
  let mode = "relu";
  /** @type {LayerLook} */
  let look = { shown: mode, order: "number", scale: "layer" };
  /** @type {Layer | null} */
  let layer = null;
  let map = 0;
  /** What is pointed at. @type {{ place: number, row: number, column: number } | null} */
  let at = null;
  /** @type {number[]} */
  let order = [];
  /** @type {number[]} */
  let places = [];
  /** @type {Float64Array} */
  let energy = new Float64Array();
  /** @type {{ tiles: Tensor, low: Float32Array, high: Float32Array, most: number } | null} */
  let picture = null;
  /** @type {Layout} */
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: 0 };

  /** @param {number} tile @returns {Scale} */
  function scaleOf(tile) {
    if (picture === null) return sequential(0, 1);
    const { low, high, most } = picture;
    const largest = look.scale === "tile" ? Math.max(-low[tile], high[tile]) : most;
    // All zero: any scale that starts at zero is true.
    return mode === "relu" ? sequential(0, largest || 1) : diverging(largest || 1);
  }

  const sort = memoize(
    (/** @type {Layer} */ { relu }, /** @type {boolean} */ isSorted) => {
      energy = energies(relu);
      order = isSorted ? ranked(energy) : Array.from(energy, (_, tile) => tile);
      places = placesIn(order);
    },
  );
  const paint = memoize(
    (
      /** @type {Tensor} */ tiles,
      /** @type {number[]} */ tilesInOrder,
      /** @type {LayerLook["scale"]} */ _scale,
      /** @type {boolean} */ isNarrow,
      /** @type {number} */ gap,
    ) => {
      const [count, rows, columns] = tiles.shape;
      const across = isNarrow
        ? acrossNarrow(count, columns + gap)
        : acrossSquare(count);
      layout = { count, across, rows, columns, gap };
      const { low, high } = extremes(tiles);
      picture = { tiles, low, high, most: Math.max(reach(low), reach(high)) };
      paintTiles(canvas, tiles.data, layout, scaleOf, (place) => tilesInOrder[place]);
      fitToPicture(overlay, layout);
    },
  );

  function draw() {
    if (layer === null || look.shown === "own") return;
    const tiles = mode === "kernels" ? layer.kernelTiles : layer[mode];
    const { one, unit } = WORDS[mode];
    const isPerTile = look.scale === "tile";
    sort(layer, look.order === "energy");
    const gap = mode === "kernels" ? (layer.kernelGap ?? 1) : 2;
    paint(tiles, order, look.scale, narrow.matches, gap);
    frameTile(chosen, layout, places[map]);
    kernelNote?.toggleAttribute("hidden", mode !== "kernels");
    setText(title, `All ${layout.count} ${one}s`);
    const whose = isPerTile ? `${unit}, ${one} ${map}` : unit;
    showLegend(legend, scaleOf(map), { unit: whose, decimals: 3 });
    setText(
      note,
      isPerTile
        ? `Each ${one} has its own scale: do not compare colours between ${one}s.`
        : `One scale for all ${one}s.`,
    );
    tell(at);
  }

  /** @param {Place} cell of a tile */
  function nameOf({ row, column }) {
    const name = mode === "kernels" ? layer?.weightName : undefined;
    return name?.({ row, column }) ?? `row ${row}, column ${column}`;
  }

  /** @param {{ place: number, row: number, column: number } | null} cell */
  function tell(cell) {
    if (picture === null) return;
    const tile = cell === null ? map : order[cell.place];
    const { low, high, tiles } = picture;
    const words = [
      `${WORDS[mode].one} ${tile}: min ${fixed(low[tile])}, max ${fixed(high[tile])}`,
      `energy ${fixed(energy[tile], 2)}`,
    ];
    if (cell !== null) {
      const [, rows, columns] = tiles.shape;
      const value = tiles.data[(tile * rows + cell.row) * columns + cell.column];
      const where = nameOf(cell);
      if (!Number.isNaN(value)) words.push(`${where}: ${fixed(value)}`);
    }
    setText(readout, words.join("; "));
  }

  pickFromGrid(canvas, {
    layout: () => picture && layout,
    step: "place",
    chosen: () => ({ place: places[map], row: 0, column: 0 }),
    choose: ({ place }) => actions.chooseMap(order[place]),
    hover(cell) {
      at = cell;
      frameTile(pointed, layout, cell?.place ?? null);
      tell(cell);
      const seen = mode === "kernels" ? null : layer?.reach;
      actions.lookAt(cell && seen ? fieldAt(seen, cell) : null);
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
  narrow.addEventListener("change", draw);

  const update = memoize(
    (
      /** @type {Layer} */ layerNow,
      /** @type {number} */ mapNow,
      /** @type {LayerLook} */ lookNow,
    ) => {
      layer = layerNow;
      map = mapNow;
      look = lookNow;
      pressChoice(modes, look.shown);
      pressChoice(orders, look.order);
      pressChoice(scales, look.scale);
      const isOwn = look.shown === "own";
      for (const part of [sheet, orders, scales]) part.hidden = isOwn;
      if (look.shown === "own") setText(title, "Your own kernel");
      else mode = look.shown;
      draw();
    },
  );
  return {
    /** @param {Layer} layerNow @param {number} mapNow @param {LayerLook} lookNow */
    show: (layerNow, mapNow, lookNow) => update(layerNow, mapNow, lookNow),
  };
}

/**
 * Tiles in a row of a narrow picture.
 * @param {number} count of all tiles
 * @param {number} width of a tile and a gap, in cells
 */
function acrossNarrow(count, width) {
  const { across, cells } = WHEN_NARROW;
  return Math.max(1, Math.min(acrossSquare(count), across, Math.floor(cells / width)));
}
