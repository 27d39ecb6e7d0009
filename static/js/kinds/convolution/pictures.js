/**
 * What a pixel of a map sees on the input, and its map before and after ReLU: pictures
 * that point together.
 * @import { Scale } from "../../lib/color.js"
 * @import { Pixels } from "../../types.js"
 * @import { Field, Place, Reading } from "./types.js"
 */

import { fieldAt, ITSELF, sizeWords } from "../../geometry/windows.js";
import { reach as largest } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { inkOf, isColour } from "../../lib/pixels.js";
import { find, findElement, setText } from "../../ui/dom.js";
import { pickFromGrid } from "../../ui/grid-picker.js";
import { mapPicture } from "../../ui/maps.js";
import {
  framedPicture,
  pixelWords,
  showInkLegend,
  showLegend,
} from "../../ui/pictures.js";
import { middleAt, pixelNear } from "./field.js";
import { DEAD } from "./maps.js";

/**
 * What the reader does here.
 * @typedef {object} Hooks
 * @property {(place: Place) => void} choose a pixel of the map
 * @property {(place: Place | null) => void} preview a pixel that is pointed at
 * @property {(pixel: Place | null) => void} overInput a pixel of the input that is pointed at
 */

/** @param {HTMLElement} root @param {Hooks} hooks */
export function mountPictures(root, { choose, preview, overInput }) {
  const title = findElement(root, "[data-map-title]");
  const readout = findElement(root, "[data-map-readout]");
  const size = findElement(root, "[data-field-size]");
  const input = framedPicture(findElement(root, "[data-input]"));
  const maps = mountStages(root, { choose, hover: preview });
  /** @type {Reading | null} */
  let current = null;
  let position = { row: 0, column: 0 };

  const legend = findElement(root, "[data-input-legend]");
  const showMaps = memoize((/** @type {Reading} */ reading) => {
    maps.show(reading);
    setText(size, sizeWords(fieldAt(reading.reach, { row: 0, column: 0 })));
  });
  const showInput = memoize((/** @type {Pixels} */ pixels) => {
    input.showInput(pixels);
    showInkLegend(legend, pixels);
  });

  /** Tell the values of a pixel of the map. @param {Place} at */
  function tell({ row, column }) {
    if (current === null) return;
    const i = row * current.across + column;
    setText(
      readout,
      `row ${row}, column ${column}: before ${fixed(current.before[i])}, after ${fixed(current.after[i])}`,
    );
  }

  pickFromGrid(input.canvas, {
    layout: input.layout,
    step: "cell",
    chosen: () => ({ place: 0, ...middleAt(current?.reach ?? ITSELF, position) }),
    choose(pixel) {
      if (current !== null)
        choose(pixelNear(current.reach, gridOf(current), pixel, position));
    },
    hover: overInput,
    words: ({ row, column }) =>
      current === null ? "" : inputWords(current.pixels, { row, column }),
  });

  return {
    /** @param {Reading} reading @param {Place} pixel */
    show(reading, pixel) {
      current = reading;
      position = pixel;
      setText(
        title,
        `${reading.mapName} at row ${position.row}, column ${position.column}`,
      );
      showInput(reading.pixels);
      showMaps(reading);
      input.frame(fieldAt(reading.reach, position));
      maps.choose(position);
      tell(position);
    },

    /** @param {Place | null} at a pixel of the map that is pointed at */
    preview(at) {
      maps.point(at);
      tell(at ?? position);
    },

    /** @param {Place | null} last what is written last while the kernel slides */
    cover: maps.cover,

    /** @param {Field | null} field */
    lookAt: (field) => input.point(field),
  };
}

/** @param {Pixels} pixels @param {Place} pixel */
function inputWords(pixels, pixel) {
  const { row, column } = pixel;
  const unit = isColour(pixels) ? "" : " ink";
  return `row ${row}, column ${column}: ${pixelWords(inkOf(pixels), pixels, pixel)}${unit}`;
}

/**
 * A map before and after ReLU.
 * @param {HTMLElement} root
 * @param {{ choose: (place: Place) => void, hover: (place: Place | null) => void }} hooks
 */
function mountStages(root, hooks) {
  const maps = ["before", "after"].map((name) =>
    mountMap(findElement(root, `[data-${name}]`), hooks),
  );
  const [before, after] = maps;
  return {
    /** @param {Reading} reading */
    show(reading) {
      const { across } = reading;
      before.show(reading.before, across, diverging(largest(reading.before) || 1));
      const most = largest(reading.after);
      const unit = most === 0 ? DEAD : undefined;
      after.show(reading.after, across, sequential(0, most || 1), unit);
    },
    /** @param {Place} pixel */
    choose(pixel) {
      for (const map of maps) map.choose(pixel);
    },
    /** @param {Place | null} pixel */
    point(pixel) {
      for (const map of maps) map.point(pixel);
    },
    /** @param {Place | null} last what is written last; null: all is */
    cover(last) {
      for (const map of maps) map.cover(last);
    },
  };
}

/**
 * One map: its scale, the chosen pixel, and a cover over what is not written yet while the
 * kernel slides.
 * @param {HTMLElement} root a figure
 * @param {{ choose: (place: Place) => void, hover: (place: Place | null) => void }} hooks
 */
function mountMap(root, { choose, hover }) {
  const cover = find(root, ".unwritten", SVGPathElement);
  const legend = findElement(root, "[data-legend]");
  let position = { row: 0, column: 0 };
  let across = 1;
  /** @type {ArrayLike<number>} */
  let map = [];
  const picture = mapPicture(root, {
    chosen: () => position,
    choose,
    hover,
    note: ({ row, column }) =>
      `row ${row}, column ${column}: ${fixed(map[row * across + column])}`,
  });

  return {
    /**
     * @param {Float32Array} values @param {number} columns @param {Scale} scale
     * @param {string} [unit]
     */
    show(values, columns, scale, unit = "activation, own scale") {
      map = values;
      across = columns;
      picture.show(values, columns, scale);
      showLegend(legend, scale, { unit, decimals: 2 });
    },

    /** @param {Place} pixel */
    choose(pixel) {
      position = pixel;
      picture.choose(position);
    },

    point: picture.point,

    /** @param {Place | null} last */
    cover(last) {
      const rest = last && restAfter(last, map.length / across, across);
      cover.setAttribute("d", rest ?? "");
    },
  };
}

/**
 * The outline of all cells that come after one, row by row.
 * @param {Place} last @param {number} rows @param {number} columns
 */
function restAfter({ row, column }, rows, columns) {
  return `M${column + 1} ${row}H${columns}V${rows}H0V${row + 1}H${column + 1}z`;
}

/** The grid of a map's pixels. @param {Pick<Reading, "before" | "across">} reading */
export function gridOf({ before, across }) {
  return { rows: before.length / across, columns: across };
}
