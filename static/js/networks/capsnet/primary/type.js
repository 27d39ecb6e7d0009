/**
 * The chosen type with its lengths written in, and what the chosen capsule sees.
 * @import { Field } from "../../../types.js"
 * @import { Place, Primary } from "./index.js"
 * @import { Actions } from "../types.js"
 */

import { numberGrid } from "../../../convolution/number-grid.js";
import { ink, sequential } from "../../../lib/color.js";
import { compact } from "../../../lib/decimals.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { findElement } from "../../../ui/dom.js";
import { pickFromGrid } from "../../../ui/grid-picker.js";
import { framedPicture, showLegend } from "../../../ui/pictures.js";
import { fieldOfCapsule } from "../places.js";

const SCALE = sequential(0, 1);

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountType(root, actions) {
  const title = findElement(root, "[data-type-title]");
  const grid = numberGrid(findElement(root, "[data-type-grid]"));
  const input = framedPicture(findElement(root, "[data-input]"));
  const seen = findElement(root, "[data-seen]");
  /** @type {Primary | null} */
  let layer = null;
  /** @type {Place} */
  let place = { type: 0, row: 0, column: 0 };

  showLegend(findElement(root, "[data-type-legend]"), SCALE, {
    unit: "length of a capsule",
    decimals: 0,
  });
  showLegend(findElement(root, "[data-input-legend]"), ink(), {
    unit: "ink",
    decimals: 0,
  });
  const showGrid = memoize(
    (/** @type {Primary} */ { lengths }, /** @type {number} */ type) => {
      const [, rows, columns] = lengths.shape;
      const from = type * rows * columns;
      grid.show(lengths.data.subarray(from, from + rows * columns), {
        rows,
        columns,
        scale: SCALE,
        format: (value) => compact(value, 2),
      });
    },
  );
  const showInput = memoize((/** @type {Primary} */ { ink: values, sizes }) =>
    input.show(values, sizes.image_size),
  );

  pickFromGrid(grid.canvas, {
    layout: grid.layout,
    step: "cell",
    chosen: () => ({ place: 0, row: place.row, column: place.column }),
    choose({ row, column }) {
      const layout = grid.layout();
      if (layout === null) return;
      const { rows, columns } = layout;
      actions.chooseCapsule((place.type * rows + row) * columns + column);
    },
    hover(cell) {
      grid.point(cell);
      const sizes = layer?.sizes;
      actions.lookAt(
        cell && sizes ? fieldOfCapsule(sizes, cell.row, cell.column) : null,
      );
    },
    words({ row, column }) {
      if (layer === null) return "";
      const [, rows, columns] = layer.lengths.shape;
      const length = layer.lengths.data[(place.type * rows + row) * columns + column];
      return `row ${row}, column ${column}: length ${fixed(length)}`;
    },
  });

  return {
    /** @param {Primary} layerNow @param {Place} placeNow */
    show(layerNow, placeNow) {
      layer = layerNow;
      place = placeNow;
      const { type, row, column } = place;
      const field = fieldOfCapsule(layer.sizes, row, column);
      title.textContent = `Type ${type}, row ${row}, column ${column}`;
      seen.textContent = `${field.size}×${field.size} pixels that it sees`;
      showGrid(layer, type);
      grid.choose(place);
      showInput(layer);
      input.frame(field);
    },

    /** @param {Field | null} field */
    lookAt: (field) => input.point(field),
  };
}
