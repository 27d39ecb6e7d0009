/**
 * How one pixel of a map comes about: patch × kernel, the sum, the bias, ReLU. Worked out
 * here from pixels and kernel, with the network's own value beside it.
 * @import { Actions } from "../state.js"
 * @import { Conv1 } from "./conv1.js"
 * @import { Worked } from "../lib/convolution.js"
 */
import { fieldOfPixel } from "../geometry/receptive-field.js";
import { diverging, ink } from "../lib/color.js";
import { compact } from "../lib/compact.js";
import { workOut } from "../lib/convolution.js";
import { mapOf } from "../lib/maps.js";
import { fixed, signed } from "../lib/number.js";
import { onChange } from "../lib/on-change.js";
import { reach } from "../lib/rank.js";
import { findElement } from "../parts/find.js";
import { pickFromGrid } from "../parts/grid-picker.js";
import { showLegend } from "../parts/legend.js";
import { numberGrid } from "../parts/number-grid.js";

/** @typedef {{ row: number, column: number }} Place */

const HINT = "Point at a cell, or walk with the arrow keys, to see one product.";

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountArithmetic(root, actions) {
  const patch = numberGrid(findElement(root, "[data-patch]"));
  const kernel = numberGrid(findElement(root, "[data-weights]"));
  const products = numberGrid(findElement(root, "[data-products]"));
  const grids = [patch, kernel, products];
  const readout = findElement(root, "[data-product-readout]");
  const check = findElement(root, "[data-check]");
  const noInk = findElement(root, "[data-no-ink]");
  /** @param {string} name @param {string} text */
  const write = (name, text) => {
    findElement(root, `[data-${name}]`).textContent = text;
  };
  /** @type {{ worked: Worked, weights: Float32Array, field: import("../types.js").Field } | null} */
  let shown = null;
  let cell = { row: 0, column: 0 };

  showLegend(findElement(root, "[data-ink-legend]"), ink(), {
    unit: "patch: ink",
    decimals: 0,
  });

  function unpoint() {
    for (const grid of grids) grid.point(null);
    readout.textContent = HINT;
  }

  /** @param {Place | null} place */
  function point(place) {
    if (shown === null || place === null) {
      unpoint();
      actions.lookAt(null);
      return;
    }
    cell = place;
    for (const grid of grids) grid.point(place);
    const { worked, weights, field } = shown;
    const at = place.row * field.size + place.column;
    readout.textContent = `row ${place.row}, column ${place.column}: ${fixed(worked.patch[at], 2)} × ${fixed(weights[at])} = ${fixed(worked.products[at])}`;
    const [row, column] = [field.row + place.row, field.column + place.column];
    actions.lookAt({ row, column, size: 1 });
  }
  for (const { canvas, layout } of grids) {
    pickFromGrid(canvas, {
      layout,
      step: "cell",
      chosen: () => ({ place: 0, ...cell }),
      choose: point,
      hover: point,
    });
    canvas.addEventListener("blur", () => point(null));
  }

  const update = onChange(
    (
      /** @type {Conv1} */ { sizes, kernels, pixels, pre },
      /** @type {number} */ map,
      /** @type {number} */ pixel,
    ) => {
      const [, , columns] = pre.shape;
      const field = fieldOfPixel(sizes, Math.floor(pixel / columns), pixel % columns);
      const weights = mapOf(kernels.kernels, map);
      const bias = kernels.bias.data[map];
      const worked = workOut(pixels, sizes.image_size, { weights, bias }, field);
      shown = { worked, weights, field };

      const size = { rows: field.size, columns: field.size };
      // No pixel is above 1, so no product is beyond its weight: one scale serves both.
      const scale = diverging(reach(weights) || 1);
      patch.show(worked.patch, {
        ...size,
        scale: ink(),
        format: (value) => compact(value, 2),
      });
      kernel.show(weights, { ...size, scale, format: (value) => compact(value, 3) });
      products.show(worked.products, {
        ...size,
        scale,
        format: (value) => compact(value, 3),
      });
      showLegend(findElement(root, "[data-weights-legend]"), scale, {
        unit: "kernel weight, and product",
        decimals: 3,
      });

      const traced = mapOf(pre, map)[pixel];
      write(
        "where",
        `input rows ${field.row}–${field.row + field.size - 1}, columns ${field.column}–${field.column + field.size - 1}`,
      );
      write("count", String(weights.length));
      write("sum", fixed(worked.sum));
      write("plus", bias < 0 ? "−" : "+");
      write("bias-size", fixed(Math.abs(bias)));
      write("sum-before", fixed(worked.before));
      write("sum-after", fixed(worked.after));
      check.textContent = checkText(worked.before, traced);
      noInk.hidden = worked.patch.some((value) => value > 0);
      unpoint();
    },
  );
  return {
    /**
     * @param {Conv1} layer
     * @param {number} map
     * @param {number} pixel row * columns + column
     */
    show: (layer, map, pixel) => update(layer, map, pixel),
  };
}

/**
 * @param {number} worked
 * @param {number} traced
 */
function checkText(worked, traced) {
  return `Worked out on this page: ${fixed(worked, 5)}. The network's trace says ${fixed(traced, 5)}, a difference of ${signed(traced - worked, 5)}; it comes in half precision, which keeps about three digits.`;
}
