/**
 * Patch times kernel, cell by cell: three grids of numbers that point together.
 * @import { Scale } from "../lib/color.js"
 */

import { reach } from "../lib/arithmetic.js";
import { diverging } from "../lib/color.js";
import { compact, productInWords } from "../lib/decimals.js";
import { memoize } from "../lib/memoize.js";
import { forHands } from "../ui/controls.js";
import { findElement } from "../ui/dom.js";
import { pickFromGrid } from "../ui/grid-picker.js";
import { showLegend } from "../ui/pictures.js";
import { numberGrid } from "./number-grid.js";

/** @typedef {{ row: number, column: number }} Cell of the kernel, from its top left */

/**
 * @typedef {object} Multiplied
 * @property {{ patch: ArrayLike<number>, products: ArrayLike<number> }} worked
 * @property {ArrayLike<number>} weights
 * @property {number} size cells in a row of all three
 * @property {Scale} scale of the patch, from zero to the most that it can hold
 * @property {string} unit what the patch's values are
 */

const HINT = {
  mouse: "Point at a cell, or move with the arrow keys, to see its product.",
  touch: "Tap a cell to see its product.",
};
const DECIMALS = 3;

/**
 * @param {HTMLElement} root filled by `convolution/product-grids.html`
 * @param {(cell: Cell | null) => void} onPoint told where the reader points
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
    (/** @type {ArrayLike<number>} */ weights, /** @type {number} */ size) => {
      const largest = reach(weights) || 1;
      kernel.show(weights, size, diverging(largest), "weight");
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

  /** @param {Cell | null} cell */
  function point(cell) {
    for (const grid of grids) grid.point(cell);
    if (shown === null || cell === null) {
      readout.textContent = forHands(HINT);
      return;
    }
    const { row, column } = cell;
    const { worked, weights, size } = shown;
    last = { row, column };
    const at = row * size + column;
    const product = productInWords(worked.patch[at], weights[at], DECIMALS);
    readout.textContent = `row ${row}, column ${column}: ${product}`;
  }

  return {
    point,

    /** @param {Multiplied} multiplied */
    show(multiplied) {
      shown = multiplied;
      const { worked, weights, size, scale, unit } = multiplied;
      root.style.setProperty("--cells", String(size));
      last = {
        row: Math.min(last.row, size - 1),
        column: Math.min(last.column, size - 1),
      };
      const largest = showKernel(weights, size);
      patch.show(worked.patch, size, scale, unit);
      // No product is beyond the largest weight times the most that a patch can hold.
      products.show(worked.products, size, diverging(largest * scale.high), "product");
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
     * @param {ArrayLike<number>} values
     * @param {number} size
     * @param {Scale} scale
     * @param {string} unit
     */
    show(values, size, scale, unit) {
      const format = scale.name === "diverging" ? signedCell : plainCell;
      show(values, { rows: size, columns: size, scale, format });
      showScale(unit, scale.name, scale.high, scale);
    },
  };
}

/** @param {number} value */
const plainCell = (value) => compact(value, 2);

/** @param {number} value */
const signedCell = (value) => compact(value, DECIMALS);
