/**
 * One kernel and one pixel of its map: pictures, arithmetic and the sliding kernel, which
 * point and move together.
 * @import { Field, MapsActions, Place } from "./types.js"
 * @import { Reading } from "./reading.js"
 */
import { fixed } from "../lib/format.js";
import { memoize } from "../lib/memoize.js";
import { findElement, setText } from "../ui/dom.js";
import { showSeenFirst } from "../ui/seen.js";
import { mountArithmetic } from "./arithmetic.js";
import { fieldAt } from "./field.js";
import { kernelPicture } from "./kernel-picture.js";
import { mountPictures } from "./pictures.js";
import { mountSlide } from "./slide.js";
import { mountTables, square } from "./tables.js";

/**
 * @param {HTMLElement} root
 * @param {Pick<MapsActions, "lookAt">} actions
 * @param {(place: Place) => void} choose a pixel of the map
 */
export function mountFocus(root, actions, choose) {
  const pictures = mountPictures(root, { choose, preview, overInput });
  const kernel = kernelPicture(findElement(root, "[data-kernel]"), point);
  const beneath = findElement(root, "[data-arithmetic]");
  const arithmetic = mountArithmetic(beneath, point);
  const showArithmetic = showSeenFirst(beneath, arithmetic.show);
  const slide = mountSlide(findElement(root, "[data-slide]"), {
    choose,
    cover: pictures.cover,
  });
  const tables = mountTables(root);
  const tablesOf = memoize(listedOf);
  /** @type {Reading | null} */
  let reading = null;
  let place = { row: 0, column: 0 };

  const showKernel = memoize(
    (/** @type {Reading} */ { kernelName, weights, size, bias }) => {
      kernel.show(weights, size);
      setText(findElement(root, "[data-kernel-name]"), kernelName);
      setText(findElement(root, "[data-bias]"), `bias ${fixed(bias)}`);
    },
  );

  /** @param {Place | null} at a pixel of the map that is pointed at */
  function preview(at) {
    if (reading === null) return;
    pictures.preview(at);
    showArithmetic(reading, at ?? place);
    actions.lookAt(at && fieldAt(reading.reach, at));
  }

  /** @param {Place | null} pixel of the input */
  function overInput(pixel) {
    if (reading === null) return;
    const { row, column } = pixel ?? { row: -1, column: -1 };
    const field = fieldAt(reading.reach, place);
    const cell = { row: row - field.row, column: column - field.column };
    point(isInKernel(cell, reading.size) ? cell : null);
    if (pixel !== null) actions.lookAt({ row, column, size: 1 });
  }

  /** @param {Place | null} cell of the kernel */
  function point(cell) {
    kernel.point(cell);
    arithmetic.point(cell);
    const field = reading && fieldAt(reading.reach, place);
    actions.lookAt(
      cell &&
        field && {
          row: field.row + cell.row,
          column: field.column + cell.column,
          size: 1,
        },
    );
  }

  return {
    /**
     * @param {Reading} readingNow
     * @param {Place} placeNow
     */
    show(readingNow, placeNow) {
      reading = readingNow;
      place = placeNow;
      slide.show(reading, place);
      pictures.show(reading, place);
      showKernel(reading);
      showArithmetic(reading, place);
      tables.show(tablesOf(reading));
    },

    /** @param {Field | null} field */
    lookAt: (field) => pictures.lookAt(field),

    /** The view is left. */
    pause: () => slide.pause(),
  };
}

/**
 * @param {Place} cell
 * @param {number} size
 */
function isInKernel({ row, column }, size) {
  return row >= 0 && row < size && column >= 0 && column < size;
}

/** @param {Reading} reading */
function listedOf({ kernelName, mapName, weights, size, before, after, across }) {
  return [
    square(kernelName, weights, size),
    square(`${mapName} before ReLU`, before, across),
    square(`${mapName} after ReLU`, after, across),
  ];
}
