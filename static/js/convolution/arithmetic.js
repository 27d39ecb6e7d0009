/**
 * How one pixel of a map comes about: patch × kernel, the sum, the bias, ReLU. Worked out
 * here from pixels and kernel, with the network's own value beside it where it has one.
 * @import { Place } from "./types.js"
 * @import { Reading } from "./reading.js"
 */
import { ink } from "../lib/color.js";
import { restOf } from "../lib/decimals.js";
import { fixed, signed } from "../lib/format.js";
import { findElement, writer } from "../ui/dom.js";
import { workOut } from "./compute.js";
import { fieldAt } from "./field.js";
import { productGrids } from "./product-grids.js";
import { writeSum } from "./worked-sum.js";

const CHECK_DECIMALS = 5;

/**
 * @param {HTMLElement} root
 * @param {(cell: Place | null) => void} onPoint told which cell of the kernel is pointed at
 */
export function mountArithmetic(root, onPoint) {
  const grids = productGrids(root, onPoint);
  const check = findElement(root, "[data-check]");
  const noInk = findElement(root, "[data-no-ink]");
  const scale = ink();
  const write = writer(root);

  return {
    point: grids.point,

    /**
     * @param {Reading} reading
     * @param {Place} place of the pixel on the map
     */
    show(reading, place) {
      const { size, weights, bias, side } = reading;
      const field = fieldAt(reading.reach, place);
      const { row, column } = field;
      const worked = workOut(reading.ink, side, reading, field);
      grids.show({ worked, weights, size, scale, unit: "ink" });
      write(
        "where",
        `input rows ${row}–${row + size - 1}, columns ${column}–${column + size - 1}`,
      );
      write("count", String(size * size));
      writeSum(write, { bias, total: worked.before });
      const traced = reading.before[place.row * reading.across + place.column];
      check.textContent = reading.isTraced
        ? checkText(worked.before, traced)
        : OWN_TEXT;
      noInk.hidden = worked.patch.some((value) => value > 0);
    },
  };
}

const OWN_TEXT =
  "Worked out on this page alone: the network has no such kernel. Cells show rounded values; the sum uses the exact products.";

/**
 * @param {number} worked
 * @param {number} traced
 */
function checkText(worked, traced) {
  const difference = restOf(traced, [worked], CHECK_DECIMALS);
  return `Worked out on this page: ${fixed(worked, CHECK_DECIMALS)}. The network's trace says ${fixed(traced, CHECK_DECIMALS)}, a difference of ${signed(difference, CHECK_DECIMALS)}: the trace is in half precision, which keeps about three digits. Cells show rounded values; the sum uses the exact products.`;
}
