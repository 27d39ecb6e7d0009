/**
 * What a pixel of a map sees on the input, and its map before and after ReLU: pictures
 * that point together.
 * @import { Field, Place, Seen } from "./types.js"
 */

import { reach as largest } from "../lib/arithmetic.js";
import { diverging, ink, sequential } from "../lib/color.js";
import { fixed } from "../lib/format.js";
import { memoize } from "../lib/memoize.js";
import { findElement, setText } from "../ui/dom.js";
import { pickFromGrid } from "../ui/grid-picker.js";
import { framedPicture, showLegend } from "../ui/pictures.js";
import { fieldAt, middleAt, pixelNear } from "./field.js";
import { mountMap } from "./map.js";

/**
 * What the reader does here.
 * @typedef {object} Hooks
 * @property {(place: Place) => void} choose a pixel of the map
 * @property {(place: Place | null) => void} preview a pixel that is pointed at
 * @property {(pixel: Place | null) => void} overInput a pixel of the input that is pointed at
 */

/**
 * @param {HTMLElement} root
 * @param {Hooks} hooks
 */
export function mountPictures(root, { choose, preview, overInput }) {
  const title = findElement(root, "[data-map-title]");
  const readout = findElement(root, "[data-map-readout]");
  const size = findElement(root, "[data-field-size]");
  const input = framedPicture(findElement(root, "[data-input]"));
  const maps = ["before", "after"].map((name) =>
    mountMap(findElement(root, `[data-${name}]`), { choose, hover: preview }),
  );
  /** @type {Seen | null} */
  let seen = null;
  let place = { row: 0, column: 0 };

  showLegend(findElement(root, "[data-input-legend]"), ink(), {
    unit: "ink",
    decimals: 0,
  });

  const showMaps = memoize((/** @type {Seen} */ { before, after, across, reach }) => {
    maps[0].show(before, across, diverging(largest(before) || 1));
    maps[1].show(after, across, sequential(0, largest(after) || 1));
    setText(size, `${reach.size}×${reach.size}`);
  });
  const showInput = memoize(
    (/** @type {Seen["ink"]} */ values, /** @type {number} */ side) =>
      input.show(values, side),
  );

  /**
   * Tell the values of a pixel of the map.
   * @param {Place} at
   */
  function tell({ row, column }) {
    if (seen === null) return;
    const i = row * seen.across + column;
    setText(
      readout,
      `row ${row}, column ${column}: before ${fixed(seen.before[i])}, after ${fixed(seen.after[i])}`,
    );
  }

  pickFromGrid(input.canvas, {
    layout: input.layout,
    step: "cell",
    chosen: () => ({
      place: 0,
      ...middleAt(seen?.reach ?? { size: 1, step: 1 }, place),
    }),
    choose(pixel) {
      if (seen !== null) choose(pixelNear(seen.reach, seen.across, pixel, place));
    },
    hover: overInput,
    words: ({ row, column }) =>
      seen === null
        ? ""
        : `row ${row}, column ${column}: ${fixed(seen.ink[row * seen.side + column])} ink`,
  });

  return {
    /**
     * @param {Seen} seenNow
     * @param {Place} placeNow
     */
    show(seenNow, placeNow) {
      seen = seenNow;
      place = placeNow;
      setText(title, `${seen.mapName} at row ${place.row}, column ${place.column}`);
      showInput(seen.ink, seen.side);
      showMaps(seen);
      input.frame(fieldAt(seen.reach, place));
      for (const map of maps) map.choose(place);
      tell(place);
    },

    /** @param {Place | null} at a pixel of the map that is pointed at */
    preview(at) {
      for (const map of maps) map.point(at);
      tell(at ?? place);
    },

    /** @param {Place | null} last what is written last while the kernel slides */
    cover(last) {
      for (const map of maps) map.cover(last);
    },

    /** @param {Field | null} field */
    lookAt: (field) => input.point(field),
  };
}
