/**
 * Many equal tiles in one picture, in any order, one of them chosen.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { Scale } from "../lib/color.js"
 */
import { onChange } from "../lib/on-change.js";
import { placesIn } from "../lib/rank.js";
import { paintTiles } from "../paint/heatmap.js";
import { find, findCanvas } from "./find.js";
import { pickFromGrid } from "./grid-picker.js";
import { fitToPicture, frameTile } from "./marks.js";

const NARROW = "(max-width: 560px)";

/**
 * What is under the pointer.
 * @typedef {{ tile: number, row: number, column: number }} At
 */

/**
 * @typedef {object} Tiles
 * @property {ArrayLike<number>} values tile by tile, each row by row
 * @property {number} count
 * @property {number} rows of a tile
 * @property {number} columns
 * @property {Scale} scale
 */

/**
 * @param {HTMLElement} root an `.overlaid` with a canvas and an SVG `.frames` that holds
 *   `.chosen` and `.pointed`
 * @param {object} options
 * @param {number} options.across tiles in a row
 * @param {number} options.acrossWhenNarrow so that a finger can choose one
 * @param {number} options.gap cells between tiles
 * @param {(tile: number) => void} options.choose
 * @param {(at: At | null) => void} options.hover
 * @param {(at: At) => string} options.note what to write beside the pointer
 */
export function tileSheet(
  root,
  { across, acrossWhenNarrow, gap, choose, hover, note },
) {
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg.frames", SVGSVGElement);
  const chosenFrame = find(overlay, ".chosen", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  const narrow = matchMedia(NARROW);
  /** @type {Layout} */
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap };
  /** @type {{ tiles: Tiles, order: readonly number[], places: number[], chosen: number } | null} */
  let shown = null;

  const paint = onChange(
    (
      /** @type {Tiles} */ { values, count, rows, columns, scale },
      /** @type {readonly number[]} */ order,
      /** @type {boolean} */ isNarrow,
    ) => {
      const inRow = Math.min(count, isNarrow ? acrossWhenNarrow : across);
      layout = { count, across: inRow, rows, columns, gap };
      paintTiles(
        canvas,
        values,
        layout,
        () => scale,
        (place) => order[place],
      );
      fitToPicture(overlay, layout);
    },
  );
  const turnAround = onChange(placesIn);

  function draw() {
    if (shown === null) return;
    const { tiles, order, places, chosen } = shown;
    paint(tiles, order, narrow.matches);
    frameTile(chosenFrame, layout, places[chosen]);
  }
  narrow.addEventListener("change", draw);

  pickFromGrid(canvas, {
    layout: () => shown && layout,
    step: "place",
    chosen: () => ({ place: shown?.places[shown.chosen] ?? 0, row: 0, column: 0 }),
    choose({ place }) {
      if (shown !== null) choose(shown.order[place]);
    },
    hover(cell) {
      frameTile(pointed, layout, cell?.place ?? null);
      hover(cell && shown && { ...cell, tile: shown.order[cell.place] });
    },
    words: (cell) =>
      shown === null ? "" : note({ ...cell, tile: shown.order[cell.place] }),
  });

  return {
    /**
     * @param {Tiles} tiles
     * @param {readonly number[]} order which tile stands at each place
     * @param {number} chosen
     */
    show(tiles, order, chosen) {
      shown = { tiles, order, places: turnAround(order), chosen };
      draw();
    },
  };
}
