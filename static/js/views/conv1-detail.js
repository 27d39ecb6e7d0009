/**
 * The kernel in focus: what it sees, the kernel, and its map before and after ReLU.
 * @import { Field } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Place } from "./conv1-map.js"
 * @import { Reading } from "./conv1-reading.js"
 */
import { diverging, ink, sequential } from "../lib/color.js";
import { fixed } from "../lib/number.js";
import { onChange } from "../lib/on-change.js";
import { reach } from "../lib/rank.js";
import { findElement } from "../parts/find.js";
import { framedPicture } from "../parts/framed-picture.js";
import { pickFromGrid } from "../parts/grid-picker.js";
import { kernelPicture } from "../parts/kernel-picture.js";
import { showLegend } from "../parts/legend.js";
import { say } from "../parts/say.js";
import { mountMap } from "./conv1-map.js";

/**
 * What the reader does here.
 * @typedef {object} Hooks
 * @property {(place: Place) => void} choose a pixel of the map
 * @property {(place: Place | null) => void} preview a pixel that is pointed at
 * @property {(cell: Place | null) => void} point at a cell of the kernel
 */

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 * @param {Hooks} hooks
 */
export function mountDetail(root, actions, { choose, preview, point }) {
  const title = findElement(root, "[data-map-title]");
  const readout = findElement(root, "[data-map-readout]");
  const input = framedPicture(findElement(root, "[data-input]"));
  const kernel = kernelPicture(findElement(root, "[data-kernel]"), point);
  const maps = ["before", "after"].map((name) =>
    mountMap(findElement(root, `[data-${name}]`), { choose, hover: preview }),
  );
  /** @type {Reading | null} */
  let reading = null;
  let place = { row: 0, column: 0 };

  showLegend(findElement(root, "[data-input-legend]"), ink(), {
    unit: "ink",
    decimals: 0,
  });

  const showReading = onChange((/** @type {Reading} */ shown) => {
    const { kernelName, weights, bias, size, before, after, across } = shown;
    kernel.show(weights, size);
    maps[0].show(before, across, diverging(reach(before) || 1));
    maps[1].show(after, across, sequential(0, reach(after) || 1));
    say(findElement(root, "[data-kernel-name]"), kernelName);
    say(findElement(root, "[data-bias]"), `bias ${fixed(bias)}`);
    say(findElement(root, "[data-field-size]"), `${size}×${size}`);
  });
  const showInput = onChange(
    (/** @type {Reading["ink"]} */ values, /** @type {number} */ side) =>
      input.show(values, side),
  );

  /**
   * Tell the values of a pixel of the map.
   * @param {Place} at
   */
  function tell({ row, column }) {
    if (reading === null) return;
    const i = row * reading.across + column;
    say(
      readout,
      `row ${row}, column ${column}: before ${fixed(reading.before[i])}, after ${fixed(reading.after[i])}`,
    );
  }

  pickFromGrid(input.canvas, {
    layout: input.layout,
    step: "cell",
    chosen: () => ({ place: 0, ...middleOf(place, reading?.size ?? 1) }),
    choose(pixel) {
      if (reading !== null) choose(placeUnder(pixel, reading));
    },
    hover(pixel) {
      const { row, column } = pixel ?? { row: -1, column: -1 };
      const cell = { row: row - place.row, column: column - place.column };
      point(reading !== null && isInKernel(cell, reading.size) ? cell : null);
      if (pixel !== null) actions.lookAt({ row, column, size: 1 });
    },
  });

  return {
    /**
     * @param {Reading} readingNow
     * @param {Place} placeNow
     */
    show(readingNow, placeNow) {
      reading = readingNow;
      place = placeNow;
      const { row, column } = place;
      say(title, `${reading.mapName} at row ${row}, column ${column}`);
      showInput(reading.ink, reading.side);
      showReading(reading);
      input.frame({ row, column, size: reading.size });
      for (const map of maps) map.choose(place);
      tell(place);
    },

    /** @param {Place | null} at a pixel of the map that is pointed at */
    preview(at) {
      for (const map of maps) map.point(at);
      tell(at ?? place);
    },

    /** @param {Place | null} cell of the kernel that is pointed at */
    point: (cell) => kernel.point(cell),

    /** @param {Place | null} last what is written last while the kernel slides */
    cover(last) {
      for (const map of maps) map.cover(last);
    },

    /** @param {Field | null} field */
    lookAt: (field) => input.point(field),
  };
}

/**
 * The input pixel under the middle of a kernel.
 * @param {Place} place of the kernel's top left
 * @param {number} size
 */
function middleOf({ row, column }, size) {
  const half = (size - 1) / 2;
  return { row: row + half, column: column + half };
}

/**
 * Where a kernel stands when its middle is as near to a pixel as the edges allow.
 * @param {Place} pixel
 * @param {Reading} reading
 */
function placeUnder({ row, column }, { size, across }) {
  const within = (/** @type {number} */ at) =>
    Math.min(Math.max(at - (size - 1) / 2, 0), across - 1);
  return { row: within(row), column: within(column) };
}

/**
 * @param {Place} cell
 * @param {number} size
 */
function isInKernel({ row, column }, size) {
  return row >= 0 && row < size && column >= 0 && column < size;
}
