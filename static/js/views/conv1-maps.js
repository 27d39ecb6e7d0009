/**
 * All kernels, or all maps, of Conv1 in one picture.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { Scale } from "../lib/color.js"
 * @import { Conv1Look, Tensor } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Conv1 } from "./conv1-reading.js"
 */
import { fieldOfPixel } from "../geometry/receptive-field.js";
import { diverging, sequential } from "../lib/color.js";
import { energies, extremes, placesIn } from "../lib/maps.js";
import { fixed } from "../lib/number.js";
import { onChange } from "../lib/on-change.js";
import { ranked, reach } from "../lib/rank.js";
import { paintTiles } from "../paint/heatmap.js";
import { listenToChoices, pressChoice } from "../parts/choices.js";
import { find, findCanvas, findElement } from "../parts/find.js";
import { pickFromGrid } from "../parts/grid-picker.js";
import { showLegend } from "../parts/legend.js";
import { fitToPicture, frameTile } from "../parts/marks.js";
import { say } from "../parts/say.js";

const NARROW = "(max-width: 560px)";
const ACROSS_WHEN_NARROW = 12; // tiles stay large enough for a finger

/** What the tiles are, in words. */
const WORDS = {
  kernels: { one: "kernel", unit: "kernel weight" },
  pre: { one: "map", unit: "activation before ReLU" },
  relu: { one: "map", unit: "activation after ReLU" },
};

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
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
  const sheet = findElement(root, "[data-sheet]");
  /** @type {"kernels" | "pre" | "relu"} */
  let mode = "relu";
  /** @type {Conv1Look} */
  let look = { shown: mode, order: "number", scale: "layer" };
  /** @type {Conv1 | null} */
  let layer = null;
  let map = 0;
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

  const sort = onChange(
    (/** @type {Conv1} */ { relu }, /** @type {boolean} */ isSorted) => {
      energy = energies(relu);
      order = isSorted ? ranked(energy) : Array.from(energy, (_, tile) => tile);
      places = placesIn(order);
    },
  );
  const paint = onChange(
    (
      /** @type {Tensor} */ tiles,
      /** @type {number[]} */ tilesInOrder,
      /** @type {Conv1Look["scale"]} */ _scale,
      /** @type {boolean} */ isNarrow,
    ) => {
      const [count, rows, columns] = tiles.shape;
      const across = isNarrow ? ACROSS_WHEN_NARROW : Math.ceil(Math.sqrt(count));
      layout = { count, across, rows, columns, gap: mode === "kernels" ? 1 : 2 };
      picture = { tiles, ...extremes(tiles), most: reach(tiles.data) };
      paintTiles(canvas, tiles.data, layout, scaleOf, (place) => tilesInOrder[place]);
      fitToPicture(overlay, layout);
    },
  );

  function draw() {
    if (layer === null || look.shown === "own") return;
    const tiles = mode === "kernels" ? layer.kernels.kernels : layer[mode];
    const { one, unit } = WORDS[mode];
    const isPerTile = look.scale === "tile";
    sort(layer, look.order === "energy");
    paint(tiles, order, look.scale, narrow.matches);
    frameTile(chosen, layout, places[map]);
    say(title, `All ${layout.count} ${one}s`);
    const whose = isPerTile ? `${unit}, ${one} ${map}` : unit;
    showLegend(legend, scaleOf(map), { unit: whose, decimals: 3 });
    say(
      note,
      isPerTile
        ? `Each ${one} has its own ends: colours cannot be compared between ${one}s.`
        : `One scale for all ${one}s.`,
    );
    tell(null);
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
      words.push(`row ${cell.row}, column ${cell.column}: ${fixed(value)}`);
    }
    say(readout, words.join("; "));
  }

  pickFromGrid(canvas, {
    layout: () => picture && layout,
    step: "place",
    chosen: () => ({ place: places[map], row: 0, column: 0 }),
    choose: ({ place }) => actions.chooseMap(order[place]),
    hover(cell) {
      frameTile(pointed, layout, cell?.place ?? null);
      tell(cell);
      const sizes = mode === "kernels" ? null : layer?.sizes;
      actions.lookAt(cell && sizes ? fieldOfPixel(sizes, cell.row, cell.column) : null);
    },
  });
  listenToChoices(modes, (value) =>
    actions.lookAtConv1({ shown: /** @type {Conv1Look["shown"]} */ (value) }),
  );
  listenToChoices(orders, (value) =>
    actions.lookAtConv1({ order: value === "energy" ? value : "number" }),
  );
  listenToChoices(scales, (value) =>
    actions.lookAtConv1({ scale: value === "tile" ? value : "layer" }),
  );
  narrow.addEventListener("change", draw);

  const update = onChange(
    (
      /** @type {Conv1} */ layerNow,
      /** @type {number} */ mapNow,
      /** @type {Conv1Look} */ lookNow,
    ) => {
      layer = layerNow;
      map = mapNow;
      look = lookNow;
      pressChoice(modes, look.shown);
      pressChoice(orders, look.order);
      pressChoice(scales, look.scale);
      const isOwn = look.shown === "own";
      for (const part of [sheet, orders, scales]) part.hidden = isOwn;
      if (look.shown === "own") say(title, "Your own kernel");
      else mode = look.shown;
      draw();
    },
  );
  return {
    /** @param {Conv1} layerNow @param {number} mapNow @param {Conv1Look} lookNow */
    show: (layerNow, mapNow, lookNow) => update(layerNow, mapNow, lookNow),
  };
}
