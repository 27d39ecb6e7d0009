/**
 * Maps as pictures to point at: one map, and a sheet of many.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { Scale } from "../lib/color.js"
 */
import { placesIn } from "../lib/arithmetic.js";
import { memoize } from "../lib/memoize.js";
import { paintColours, paintHeatmap, paintTiles } from "../paint/heatmap.js";
import { find, findCanvas, setAll } from "./dom.js";
import { fitToPicture, frameTile, pickFromGrid } from "./grid-picker.js";

/** @typedef {{ row: number, column: number }} Place */

/**
 * One map, to point at cell by cell or block by block: marks over it, the chosen block
 * framed, and the value beside the pointer.
 * @param {HTMLElement} root an `.overlaid` with a canvas and an SVG `.frames` that holds
 *   `.chosen` and `.pointed`, and `.lines`, `.dots` and `.rings` where there are marks
 * @param {object} options
 * @param {number} [options.block] cells in a row of what is chosen and framed
 * @param {() => Place} options.chosen a cell, from which the arrow keys go on
 * @param {(place: Place) => void} options.choose a cell
 * @param {(place: Place | null) => void} options.hover
 * @param {(place: Place) => string} options.note what to write beside the pointer
 */
export function mapPicture(root, { block = 1, chosen, choose, hover, note }) {
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg.frames", SVGSVGElement);
  const chosenFrame = find(overlay, ".chosen", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: 0 };

  /** @param {SVGRectElement} frame @param {Place | null} cell */
  function frame(frame, cell) {
    frame.style.visibility = cell === null ? "hidden" : "";
    if (cell === null) return;
    const from = (/** @type {number} */ at) => at - (at % block);
    const x = from(cell.column);
    const y = from(cell.row);
    setAll(frame, { x, y, width: block, height: block });
  }

  pickFromGrid(canvas, {
    layout: () => layout,
    step: "cell",
    chosen: () => ({ place: 0, ...chosen() }),
    choose: ({ row, column }) => choose({ row, column }),
    hover: (cell) => hover(cell && { row: cell.row, column: cell.column }),
    words: note,
  });

  return {
    /**
     * @param {ArrayLike<number>} values row by row
     * @param {number} columns cells in a row
     * @param {Scale} scale
     */
    show(values, columns, scale) {
      layout = { ...layout, rows: values.length / columns, columns };
      paintHeatmap(canvas, values, { ...layout, scale });
      fitToPicture(overlay, layout);
    },

    /** @param {Place} cell */
    choose: (cell) => frame(chosenFrame, cell),

    /** @param {Place | null} cell */
    point: (cell) => frame(pointed, cell),

    /** @param {"lines" | "dots" | "rings"} name @param {string} path in cells */
    mark(name, path) {
      find(overlay, `.${name}`, SVGPathElement).setAttribute("d", path);
    },
  };
}

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
 * @property {number} gap cells between tiles
 * @property {(tile: number) => Scale} scaleOf
 * @property {Float32Array} [colours] of tiles that show colours in place of values, in 0..1:
 *   red, green and blue of each
 */

/**
 * Many equal tiles in one picture, in any order, one of them chosen.
 * @param {HTMLElement} root an `.overlaid` with a canvas and an SVG `.frames` that holds
 *   `.chosen` and `.pointed`
 * @param {object} options
 * @param {(tiles: Tiles, isNarrow: boolean) => number} options.across tiles in a row; on a
 *   narrow screen a finger must be able to choose one
 * @param {(tile: number) => void} options.choose
 * @param {(at: At | null) => void} options.hover
 * @param {(at: At) => string} [options.note] what to write beside the pointer; what the
 *   readout tells when absent
 */
export function tileSheet(root, { across, choose, hover, note }) {
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg.frames", SVGSVGElement);
  const chosenFrame = find(overlay, ".chosen", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  const narrow = matchMedia(NARROW);
  /** @type {Layout} */
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: 0 };
  /** @type {import("./grid-picker.js").Cell | null} */
  let pointedCell = null;
  /** @type {{ tiles: Tiles, order: readonly number[], places: number[], chosen: number } | null} */
  let shown = null;

  const paint = memoize(
    (
      /** @type {Tiles} */ tiles,
      /** @type {readonly number[]} */ order,
      /** @type {boolean} */ isNarrow,
    ) => {
      const { values, count, rows, columns, gap, scaleOf, colours } = tiles;
      layout = { count, across: across(tiles, isNarrow), rows, columns, gap };
      const tileIn = (/** @type {number} */ place) => order[place];
      if (colours) paintColours(canvas, colours, layout, tileIn);
      else paintTiles(canvas, values, layout, scaleOf, tileIn);
      fitToPicture(overlay, layout);
    },
  );
  const turnAround = memoize(placesIn);

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
      pointedCell = cell;
      frameTile(pointed, layout, cell?.place ?? null);
      hover(atCell(cell));
    },
    words: note && ((cell) => (shown === null ? "" : note(tileAt(cell, shown.order)))),
  });

  /** @param {import("./grid-picker.js").Cell | null} cell */
  const atCell = (cell) => cell && shown && tileAt(cell, shown.order);

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

    /** What is under the pointer now; another tile may have come there. */
    pointed: () => atCell(pointedCell),
  };
}

/**
 * @param {import("./grid-picker.js").Cell} cell
 * @param {readonly number[]} order which tile stands at each place
 * @returns {At}
 */
function tileAt({ place, row, column }, order) {
  return { tile: order[place], row, column };
}
