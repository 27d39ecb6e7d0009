/**
 * A kernel and what lies under it, cell by cell: the kernel's picture, three grids of
 * numbers that point together, and the sum that they come to.
 * @import { Scale } from "../../lib/color.js"
 * @import { Place } from "./types.js"
 */
import { tileAt, tilePlace } from "../../geometry/tiles.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { compact, productInWords, restOf } from "../../lib/decimals.js";
import { fixed, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { channelName, isColour } from "../../lib/pixels.js";
import { colourImage } from "../../paint/heatmap.js";
import { forHands } from "../../ui/controls.js";
import { findCanvas, findElement } from "../../ui/dom.js";
import { pickFromGrid } from "../../ui/grid-picker.js";
import { mapPicture } from "../../ui/maps.js";
import { numberGrid } from "../../ui/number-grid.js";
import { showLegend } from "../../ui/pictures.js";
import { inColours, mosaics, sliceLayout } from "./maps.js";

/**
 * @typedef {object} Multiplied
 * @property {ArrayLike<number>} patch what lies under the kernel
 * @property {ArrayLike<number>} weights
 * @property {ArrayLike<number>} products of both, cell by cell
 * @property {number} columns cells in a row of all three
 * @property {Scale} scale of the patch, from zero to the most that it can hold
 * @property {string} unit what the patch's values are
 * @property {number} [most] the largest weight there is, where these are not all
 */

const HINT = {
  mouse: "Point at a cell, or use the arrow keys.",
  touch: "Tap a cell to see its product.",
};
const DECIMALS = 3;

/**
 * @param {HTMLElement} root filled by `kinds/convolution/products.html`
 * @param {(cell: Place | null) => void} onPoint told where the reader points
 */
export function productGrids(root, onPoint) {
  const patch = gridWithLegend(findElement(root, "[data-patch]"));
  const kernel = gridWithLegend(findElement(root, "[data-weights]"));
  const products = gridWithLegend(findElement(root, "[data-products]"));
  const grids = [patch, kernel, products];
  const readout = findElement(root, "[data-product-readout]");
  /** @type {Multiplied | null} */
  let shown = null;
  let last = { row: 0, column: 0 };

  // The same kernel is shown with patch after patch.
  const showKernel = memoize(
    (
      /** @type {ArrayLike<number>} */ weights,
      /** @type {number} */ columns,
      /** @type {number} */ most,
    ) => {
      const largest = most || 1;
      kernel.show(weights, columns, diverging(largest), "weight");
      return largest;
    },
  );

  for (const { canvas, layout } of grids) {
    pickFromGrid(canvas, {
      layout,
      step: "cell",
      chosen: () => ({ place: 0, ...last }),
      choose: onPoint,
      hover: onPoint,
    });
    canvas.addEventListener("blur", () => onPoint(null));
  }

  /** @param {Place | null} cell */
  function point(cell) {
    for (const grid of grids) grid.point(cell);
    if (shown === null || cell === null) {
      readout.textContent = forHands(HINT);
      return;
    }
    const { row, column } = cell;
    last = { row, column };
    const at = row * shown.columns + column;
    const product = productInWords(shown.patch[at], shown.weights[at], DECIMALS);
    readout.textContent = `row ${row}, column ${column}: ${product}`;
  }

  return {
    point,

    /** @param {Multiplied} multiplied */
    show(multiplied) {
      shown = multiplied;
      const { weights, columns, scale, unit, most: largestOfAll } = multiplied;
      root.style.setProperty("--cells", String(columns));
      last = {
        row: Math.min(last.row, weights.length / columns - 1),
        column: Math.min(last.column, columns - 1),
      };
      const largest = showKernel(weights, columns, largestOfAll ?? reach(weights));
      patch.show(multiplied.patch, columns, scale, unit);
      // No product is beyond the largest weight times the most that a patch can hold.
      const most = diverging(largest * scale.high);
      products.show(multiplied.products, columns, most, "product");
      point(null);
    },
  };
}

/** @param {HTMLElement} root a figure */
function gridWithLegend(root) {
  const { canvas, layout, point, show } = numberGrid(root);
  const legend = findElement(root, "[data-legend]");
  const showScale = memoize(
    (
      /** @type {string} */ unit,
      /** @type {Scale["name"]} */ _name,
      /** @type {number} */ _high,
      /** @type {Scale} */ scale,
    ) =>
      showLegend(legend, scale, {
        unit,
        decimals: scale.name === "ink" ? 0 : DECIMALS,
      }),
  );
  return {
    canvas,
    layout,
    point,
    /**
     * @param {ArrayLike<number>} values @param {number} columns @param {Scale} scale
     * @param {string} unit
     */
    show(values, columns, scale, unit) {
      const format = scale.name === "diverging" ? signedCell : plainCell;
      show(values, { rows: values.length / columns, columns, scale, format });
      showScale(unit, scale.name, scale.high, scale);
    },
  };
}

/** @param {number} value */
const plainCell = (value) => compact(value, 2);

/** @param {number} value */
const signedCell = (value) => compact(value, DECIMALS);

/**
 * A kernel in colours from its largest weight down to minus that, to point at: a slice for
 * each channel that it reads. Those for red, green and blue stand beside all three in one,
 * which has their colours.
 * @param {HTMLElement} root a figure with a picture and a legend
 * @param {object} hooks
 * @param {(cell: Place | null) => void} hooks.point a cell of a slice, of whichever channel
 * @param {(channel: number) => void} hooks.choose
 */
export function kernelPicture(root, { point, choose }) {
  const legend = findElement(root, "[data-legend]");
  const canvas = findCanvas(root, "canvas");
  let layout = sliceLayout(1, { rows: 1, columns: 1 });
  /** Cell by cell of a slice. @type {ArrayLike<number>} */
  let shown = [];
  let [count, chosen] = [1, 0];
  let last = { row: 0, column: 0 };

  /** @param {Place} cell of the picture */
  const sliceAt = ({ row, column }) => tileAt({ ...layout, count }, column, row);
  /** Where a cell of the chosen channel's slice stands. @param {Place} cell */
  function placeOf({ row, column }) {
    const { x, y } = tilePlace(layout, chosen);
    return { row: y + row, column: x + column };
  }

  /** @param {Place | null} cell of the picture */
  function pointAt(cell) {
    const found = cell && tileAt(layout, cell.column, cell.row);
    if (found) last = { row: found.row, column: found.column };
    point(found && last);
  }
  const picture = mapPicture(root, {
    chosen: () => placeOf(last),
    choose(cell) {
      const found = sliceAt(cell);
      if (found && found.tile !== chosen) choose(found.tile);
      pointAt(cell);
    },
    hover: pointAt,
    note(cell) {
      const found = sliceAt(cell);
      if (found === null) return "";
      const { tile, row, column } = found;
      const { rows, columns } = layout;
      const weight = signed(shown[(tile * rows + row) * columns + column]);
      const which = count > 1 ? `${channelName(tile, count)}, ` : "";
      return `${which}row ${row}, column ${column}: weight ${weight}`;
    },
  });
  canvas.addEventListener("blur", () => point(null));

  return {
    /**
     * @param {Float32Array} weights (slices, rows, columns)
     * @param {{ rows: number, columns: number }} slice
     */
    show(weights, slice) {
      const { rows, columns } = slice;
      shown = weights;
      count = weights.length / (rows * columns);
      const isColoured = isColour({ channels: count });
      layout = sliceLayout(count + Number(isColoured), slice);
      const most = reach(weights) || 1;
      const scale = diverging(most);
      const shape = [1, count, rows, columns];
      const tiles = mosaics({ shape, data: weights }, layout);
      picture.show(tiles.data, tiles.shape[2], scale);
      picture.point(null);
      showLegend(legend, scale, { unit: "kernel weight", decimals: 3 });
      if (!isColoured) return;
      const { x, y } = tilePlace(layout, count);
      const image = colourImage(
        inColours(weights, () => most),
        layout,
      );
      canvas.getContext("2d")?.putImageData(image, x, y);
    },

    /** @param {number} channel whose slice is pointed at */
    choose(channel) {
      chosen = channel;
    },

    /** @param {Place | null} cell of a slice */
    point: (cell) => picture.point(cell && placeOf(cell)),
  };
}

/**
 * A sum, its bias and ReLU, written so that they come out.
 * @param {(name: string, text: string) => void} write into the places of a `.worked-sum`
 * @param {{ bias: number, total: number }} parts total: all products and the bias
 */
export function writeSum(write, parts) {
  writeTotal(write, parts);
  write("sum-after", fixed(Math.max(0, parts.total), DECIMALS));
}

/** The same without ReLU. @type {typeof writeSum} */
export function writeTotal(write, { bias, total }) {
  write("sum", fixed(restOf(total, [bias], DECIMALS), DECIMALS));
  write("plus", bias < 0 ? "−" : "+");
  write("bias-size", fixed(Math.abs(bias), DECIMALS));
  write("sum-before", fixed(total, DECIMALS));
}
