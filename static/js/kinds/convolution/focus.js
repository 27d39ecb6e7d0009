/**
 * One pixel of a map: what it sees, its kernel, its map before and after ReLU, the sum
 * behind it and the sliding kernel, which point and move together.
 * @import { Listed } from "../../ui/tables.js"
 * @import { Chosen, Field, Place, Reading } from "./types.js"
 */

import { fieldAt } from "../../geometry/windows.js";
import { findElement } from "../../ui/dom.js";
import { showSeenFirst } from "../../ui/seen.js";
import { gridTable, mountTables } from "../../ui/tables.js";
import { showNorm } from "./norm.js";
import { mountPictures } from "./pictures.js";
import { mountSlide } from "./slide.js";

/**
 * What a layer that reads the image shows otherwise than one that reads maps.
 * @typedef {object} Part
 * @property {HTMLElement} panel where a pixel is explained
 * @property {(reading: Reading, place: Place, chosen: Chosen) => void} show the kernel
 * @property {(reading: Reading, place: Place, chosen: Chosen) => number} explain returns
 *   what the pixel comes to before ReLU
 * @property {(pixel: Place | null) => void} overInput
 * @property {(reading: Reading, place: Place, chosen: Chosen) => Listed[]} list the same as
 *   long as nothing has changed
 */

/**
 * @param {HTMLElement} root @param {(field: Field | null) => void} lookAt
 * @param {(place: Place, reading: Reading) => void} choose a pixel of the map
 * @param {Part} part
 */
export function mountFocus(root, lookAt, choose, part) {
  const pictures = mountPictures(root, {
    choose: chooseHere,
    preview,
    overInput: part.overInput,
  });
  const slide = mountSlide(findElement(root, "[data-slide]"), {
    choose: chooseHere,
    cover: pictures.cover,
  });
  const norm = part.panel.querySelector("[data-norm]");
  const explain = showSeenFirst(
    part.panel,
    (
      /** @type {Reading} */ reading,
      /** @type {Place} */ place,
      /** @type {Chosen} */ chosen,
    ) => {
      const before = part.explain(reading, place, chosen);
      if (norm instanceof HTMLElement) showNorm(norm, reading, before);
    },
  );
  const tables = mountTables(root);
  /** @type {{ reading: Reading, place: Place, chosen: Chosen } | null} */
  let shown = null;

  /** @param {Place} at */
  function chooseHere(at) {
    if (shown !== null) choose(at, shown.reading);
  }

  /** @param {Place | null} at a pixel of the map that is pointed at */
  function preview(at) {
    if (shown === null) return;
    const { reading, place, chosen } = shown;
    pictures.preview(at);
    explain(reading, at ?? place, chosen);
    lookAt(at && fieldAt(reading.reach, at));
  }

  return {
    /** @param {Reading} reading @param {Place} place @param {Chosen} chosen */
    show(reading, place, chosen) {
      shown = { reading, place, chosen };
      slide.show(reading, place);
      pictures.show(reading, place);
      part.show(reading, place, chosen);
      explain(reading, place, chosen);
      tables.show(part.list(reading, place, chosen));
    },

    /** @param {Field | null} field */
    lookAt: (field) => pictures.lookAt(field),

    /** The view is left. */
    pause: () => slide.pause(),
  };
}

/** A map before and after ReLU, and after batch norm, as tables. @param {Reading} reading */
export function mapTables({ mapName, before, after, norm, out, across }) {
  const normed = norm && gridTable(`${mapName} after batch norm`, out, across);
  return [
    gridTable(`${mapName} before ReLU`, before, across),
    gridTable(`${mapName} after ReLU`, after, across),
    ...(normed ? [normed] : []),
  ];
}
