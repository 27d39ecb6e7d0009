/**
 * One map of a layer as a picture to point at: its scale, the chosen pixel, and a cover over
 * what is not written yet while the kernel slides.
 * @import { Layout } from "../geometry/tiles.js"
 * @import { Scale } from "../lib/color.js"
 * @import { Place } from "./types.js"
 */
import { fixed } from "../lib/format.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { find, findCanvas, findElement } from "../ui/dom.js";
import { fitToPicture, frameCell, pickFromGrid } from "../ui/grid-picker.js";
import { showLegend } from "../ui/pictures.js";

/**
 * @param {HTMLElement} root a figure
 * @param {{ choose: (place: Place) => void, hover: (place: Place | null) => void }} hooks
 */
export function mountMap(root, { choose, hover }) {
  const canvas = findCanvas(root, "canvas");
  const overlay = find(root, "svg", SVGSVGElement);
  const chosen = find(overlay, ".chosen", SVGRectElement);
  const pointed = find(overlay, ".pointed", SVGRectElement);
  const cover = find(overlay, ".unwritten", SVGPathElement);
  const legend = findElement(root, "[data-legend]");
  /** @type {Layout} */
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: 0 };
  let place = { row: 0, column: 0 };
  /** @type {ArrayLike<number>} */
  let shown = [];

  pickFromGrid(canvas, {
    layout: () => layout,
    step: "cell",
    chosen: () => ({ place: 0, ...place }),
    choose,
    hover,
    words: ({ row, column }) =>
      `row ${row}, column ${column}: ${fixed(shown[row * layout.columns + column])}`,
  });

  return {
    /**
     * @param {Float32Array} values
     * @param {number} across rows, and columns
     * @param {Scale} scale
     */
    show(values, across, scale) {
      layout = { ...layout, rows: across, columns: across };
      shown = values;
      paintHeatmap(canvas, values, { ...layout, scale });
      fitToPicture(overlay, layout);
      showLegend(legend, scale, { unit: "activation", decimals: 2 });
    },

    /** @param {Place} placeNow */
    choose(placeNow) {
      place = placeNow;
      frameCell(chosen, layout, { place: 0, ...place });
    },

    /** @param {Place | null} at */
    point: (at) => frameCell(pointed, layout, at && { place: 0, ...at }),

    /** @param {Place | null} last what is written last; null: all is */
    cover(last) {
      cover.setAttribute("d", last === null ? "" : restAfter(layout, last));
    },
  };
}

/**
 * The outline of all cells that come after one, row by row.
 * @param {Layout} layout
 * @param {Place} last
 */
function restAfter({ rows, columns }, { row, column }) {
  return `M${column + 1} ${row}H${columns}V${rows}H0V${row + 1}H${column + 1}z`;
}
