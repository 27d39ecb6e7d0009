/**
 * How a pixel of a map comes about where kernels read the image: patch × kernel, the sum,
 * the bias, ReLU. It is worked out here from pixels and kernel, with the network's own
 * value beside it where it has one.
 * @import { Part } from "./focus.js"
 * @import { Field, Place, Reading } from "./types.js"
 */
import { ink } from "../../lib/color.js";
import { restOf } from "../../lib/decimals.js";
import { fixed, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { findElement, setText, writer } from "../../ui/dom.js";
import { gridTable } from "../../ui/tables.js";
import { fieldAt } from "./field.js";
import { mapTables } from "./focus.js";
import { kernelPicture, productGrids, writeSum } from "./products.js";
import { summed } from "./reading.js";

const CHECK_DECIMALS = 5;

const OWN_TEXT =
  "Worked out on this page alone: the network has no such kernel. Cells show rounded values; the sum uses the exact products.";

/**
 * @param {HTMLElement} root @param {(field: Field | null) => void} lookAt
 * @returns {Part}
 */
export function imagePart(root, lookAt) {
  const panel = findElement(root, "[data-arithmetic]");
  const kernel = kernelPicture(findElement(root, "[data-kernel]"), point);
  const arithmetic = mountArithmetic(panel, point);
  const name = findElement(root, "[data-kernel-name]");
  const bias = findElement(root, "[data-bias]");
  /** @type {{ reading: Reading, field: Field } | null} */
  let lying = null;

  const showKernel = memoize((/** @type {Reading} */ reading) => {
    kernel.show(reading.weights, reading.size);
    setText(name, reading.kernelName);
    setText(bias, `bias ${fixed(reading.bias)}`);
  });

  /** @param {Place | null} cell of the kernel */
  function point(cell) {
    kernel.point(cell);
    arithmetic.point(cell);
    if (cell === null || lying === null) return lookAt(null);
    const { field, reading } = lying;
    const row = field.row + (cell.row % reading.size); // a slice below the other
    lookAt({ row, column: field.column + cell.column, size: 1 });
  }

  return {
    panel,
    show(reading, place) {
      lying = { reading, field: fieldAt(reading.reach, place) };
      showKernel(reading);
    },
    explain: arithmetic.show,
    overInput(pixel) {
      if (lying === null) return;
      const { field } = lying;
      const cell = pixel && {
        row: pixel.row - field.row,
        column: pixel.column - field.column,
      };
      const isInside = (/** @type {number} */ at) => at >= 0 && at < field.size;
      point(cell && isInside(cell.row) && isInside(cell.column) ? cell : null);
      if (pixel !== null) lookAt({ row: pixel.row, column: pixel.column, size: 1 });
    },
    list: memoize((/** @type {Reading} */ reading) => [
      gridTable(reading.kernelName, reading.weights, reading.size),
      ...mapTables(reading),
    ]),
  };
}

/**
 * @param {HTMLElement} root
 * @param {(cell: Place | null) => void} onPoint told which cell of the kernel is pointed at
 */
function mountArithmetic(root, onPoint) {
  const grids = productGrids(root, onPoint);
  const check = findElement(root, "[data-check]");
  const noInk = findElement(root, "[data-no-ink]");
  const scale = ink();
  const write = writer(root);

  return {
    point: grids.point,

    /** @param {Reading} reading @param {Place} place of the pixel on the map */
    show(reading, place) {
      const { size, weights, bias, across } = reading;
      const field = fieldAt(reading.window, place);
      const { windows, products, total } = summed(reading.below, weights, bias, field);
      grids.show({
        ...{ patch: windows, weights, products },
        ...{ columns: size, scale, unit: "ink" },
      });
      const { row, column } = field;
      write(
        "where",
        `input rows ${row}–${row + size - 1}, columns ${column}–${column + size - 1}`,
      );
      write("count", String(weights.length));
      writeSum(write, { bias, total });
      const traced = reading.before[place.row * across + place.column];
      check.textContent = reading.isTraced ? checkText(total, traced) : OWN_TEXT;
      noInk.hidden = windows.some((value) => value > 0);
      return total;
    },
  };
}

/** @param {number} worked @param {number} traced */
function checkText(worked, traced) {
  const difference = restOf(traced, [worked], CHECK_DECIMALS);
  return `Worked out on this page: ${fixed(worked, CHECK_DECIMALS)}. The network's trace says ${fixed(traced, CHECK_DECIMALS)}, a difference of ${signed(difference, CHECK_DECIMALS)}: the trace is in half precision, which keeps about three digits. Cells show rounded values; the sum uses the exact products.`;
}
