/**
 * What the chosen capsule found: its numbers before and after squash, and its place on
 * squash's curve.
 * @import { Scale } from "../../../../lib/color.js"
 * @import { RowText } from "../../../../ui/tables.js"
 * @import { Tensor } from "../../../../types.js"
 * @import { CapsuleScene } from "./index.js"
 * @import { Folds } from "./folds.js"
 */

import { reach } from "../../../../lib/arithmetic.js";
import { diverging } from "../../../../lib/color.js";
import { fixed } from "../../../../lib/format.js";
import { memoize, memoizeByObject } from "../../../../lib/memoize.js";
import { find, findElement } from "../../../../ui/dom.js";
import { showLegend } from "../../../../ui/pictures.js";
import { fillRows } from "../../../../ui/tables.js";
import { lengthsOf } from "../../squash.js";
import { squashCurve } from "../../squash-curve.js";
import { heatCells, numberColumns } from "./heat-rows.js";

const DECIMALS = 3;

/** One axis for all capsules of an image needs the lengths of all. */
const lengthsBeforeIn = memoizeByObject(
  (/** @type {Tensor} */ pre) => pre,
  ({ shape, data }) => lengthsOf(data, shape[3]),
);

/**
 * @param {HTMLElement} panel
 * @param {Folds} folds
 */
export function mountFound(panel, folds) {
  const head = find(panel, "[data-found-head]", HTMLTableSectionElement);
  const rows = find(panel, "[data-found-rows]", HTMLTableSectionElement);
  const legend = findElement(panel, "[data-found-legend]");
  const caption = findElement(panel, "[data-found-length]");
  const curve = squashCurve(find(panel, "[data-found-curve]", SVGSVGElement), caption);
  curve.point.setAttribute("data-term", "length");

  const draw = memoize(
    (
      /** @type {Tensor} */ pre,
      /** @type {Tensor} */ capsules,
      /** @type {Tensor} */ lengths,
      /** @type {number} */ capsule,
    ) => {
      const dim = pre.shape[3];
      const before = pre.data.subarray(capsule * dim, (capsule + 1) * dim);
      const after = capsules.data.subarray(capsule * dim, (capsule + 1) * dim);
      const scale = diverging(reach(before) || 1);
      const lengthsBefore = lengthsBeforeIn(pre);
      numberColumns(head, { corner: "number", count: dim, after: ["length"] });
      fillRows(rows, [
        toRow("before, s", before, lengthsBefore[capsule], scale),
        toRow("after, u", after, Math.hypot(...after), scale),
      ]);
      showLegend(legend, scale, { unit: "a number of the capsule", decimals: 2 });
      curve.show({ lengths, lengthsBefore }, capsule);
    },
  );

  return {
    /** @param {CapsuleScene} capsuleScene */
    show({ scene: { trace, more, capsule } }) {
      const { "primary.pre": pre, "primary.capsules": capsules } = more;
      if (!folds.isOpen("found") || !pre || !capsules) return;
      draw(pre, capsules, trace.tensors["primary.lengths"], capsule);
    },
  };
}

/**
 * @param {string} name
 * @param {Float32Array} values
 * @param {number} length
 * @param {Scale} scale
 * @returns {RowText}
 */
function toRow(name, values, length, scale) {
  const cells = heatCells(values, {
    scale,
    format: (value) => fixed(value, DECIMALS),
    term: (place) => `found.${place}`,
  });
  const last = { text: fixed(length, DECIMALS), term: "length" };
  return { head: { text: name }, cells: [...cells, last] };
}
