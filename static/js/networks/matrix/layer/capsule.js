/**
 * The chosen capsule: its pose as a matrix, and what it sees of the input.
 * @import { Field } from "../../../types.js"
 * @import { Place } from "../types.js"
 * @import { Layer } from "./index.js"
 */
import { numberGrid } from "../../../convolution/number-grid.js";
import { reach } from "../../../lib/arithmetic.js";
import { diverging, ink } from "../../../lib/color.js";
import { compact } from "../../../lib/decimals.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { findElement, setText } from "../../../ui/dom.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { framedPicture, showLegend } from "../../../ui/pictures.js";
import { fieldOf, SIDE } from "../places.js";

/**
 * @param {HTMLElement} root
 * @param {(entry: number) => void} chooseEntry
 */
export function mountCapsule(root, chooseEntry) {
  const pose = numberGrid(findElement(root, "[data-pose]"));
  const input = framedPicture(findElement(root, "[data-input]"));
  const legend = findElement(root, "[data-pose-legend]");
  let entry = 0;

  showLegend(findElement(root, "[data-input-legend]"), ink(), {
    unit: "ink",
    decimals: 0,
  });
  const showInput = memoize(
    (/** @type {Layer["ink"]} */ values, /** @type {number} */ side) =>
      input.show(values, side),
  );
  pickFromGrid(pose.canvas, {
    layout: pose.layout,
    step: "cell",
    chosen: () => ({ place: 0, row: Math.floor(entry / SIDE), column: entry % SIDE }),
    choose: ({ row, column }) => chooseEntry(row * SIDE + column),
    hover: pose.point,
  });

  return {
    /**
     * @param {Layer} layer
     * @param {Place} place
     * @param {number} entryNow
     */
    show(layer, place, entryNow) {
      entry = entryNow;
      const { name, sizes, activation, pose: values } = layer.capsule(place);
      const field = fieldOf(sizes, name, place);
      setText(
        findElement(root, "[data-capsule-title]"),
        `Type ${place.type}, row ${place.row}, column ${place.column}`,
      );
      setText(
        findElement(root, "[data-activation]"),
        `activation ${fixed(activation)}`,
      );
      setText(
        findElement(root, "[data-seen]"),
        `${field.size}×${field.size} pixels that it sees`,
      );
      const scale = diverging(reach(values) || 1);
      const format = (/** @type {number} */ value) => compact(value, 3);
      pose.show(values, { rows: SIDE, columns: SIDE, scale, format });
      pose.choose({ row: Math.floor(entry / SIDE), column: entry % SIDE });
      showLegend(legend, scale, { unit: "number in the pose M" });
      showInput(layer.ink, sizes.image_size);
      input.frame(field);
    },

    /** @param {Field | null} field */
    lookAt: (field) => input.point(field),
  };
}
