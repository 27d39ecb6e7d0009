/**
 * One kernel and one pixel of its map: pictures, arithmetic and the sliding kernel, which
 * point and move together.
 * @import { Field } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Place } from "./conv1-map.js"
 * @import { Reading } from "./conv1-reading.js"
 */
import { findElement } from "../parts/find.js";
import { showSeenFirst } from "../parts/seen.js";
import { mountArithmetic } from "./conv1-arithmetic.js";
import { mountDetail } from "./conv1-detail.js";
import { mountSlide } from "./conv1-slide.js";
import { mountTables } from "./conv1-tables.js";

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 * @param {(place: Place) => void} choose a pixel of the map
 */
export function mountFocus(root, actions, choose) {
  const detail = mountDetail(root, actions, { choose, preview, point });
  const beneath = findElement(root, "[data-arithmetic]");
  const arithmetic = mountArithmetic(beneath, point);
  const showArithmetic = showSeenFirst(beneath, arithmetic.show);
  const slide = mountSlide(findElement(root, "[data-slide]"), {
    choose,
    cover: detail.cover,
  });
  const tables = mountTables(root);
  /** @type {Reading | null} */
  let reading = null;
  let place = { row: 0, column: 0 };

  /** @param {Place | null} at a pixel of the map that is pointed at */
  function preview(at) {
    if (reading === null) return;
    detail.preview(at);
    showArithmetic(reading, at ?? place);
    actions.lookAt(at && { row: at.row, column: at.column, size: reading.size });
  }

  /** @param {Place | null} cell of the kernel */
  function point(cell) {
    detail.point(cell);
    arithmetic.point(cell);
    actions.lookAt(
      cell && {
        row: place.row + cell.row,
        column: place.column + cell.column,
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
      detail.show(reading, place);
      showArithmetic(reading, place);
      tables.show(reading);
    },

    /** @param {Field | null} field */
    lookAt: (field) => detail.lookAt(field),

    /** The view is left. */
    pause: () => slide.pause(),
  };
}
