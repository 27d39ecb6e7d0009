/**
 * One pixel of a map: what it sees, its kernel, its map before and after ReLU and the
 * sliding kernel, which point and move together.
 * @import { Chosen, Field, Place, Pointing, Reading } from "./types.js"
 */

import { fieldAt } from "../../geometry/windows.js";
import { findElement } from "../../ui/dom.js";
import { mapValues } from "../../ui/values.js";
import { mountPictures } from "./pictures.js";
import { mountSlide } from "./slide.js";

/**
 * What a layer that reads the image shows otherwise than one that reads maps.
 * @typedef {object} Part
 * @property {(reading: Reading, place: Place, chosen: Pick<Chosen, "channel" | "mapBelow">) => void} show the kernel
 * @property {(pixel: Place | null) => void} overInput
 * @property {(cell: Place | null) => void} point at a cell of the kernel
 */

/**
 * @typedef {object} PartActions
 * @property {(field: Field | null) => void} lookAt
 * @property {(change: Partial<Chosen>) => void} set
 * @property {(map: number) => void} chooseMap of those below
 * @property {(change: Partial<Pointing>) => void} keep what is pointed at
 */

/**
 * @param {HTMLElement} root
 * @param {object} actions
 * @param {(field: Field | null) => void} actions.lookAt
 * @param {(place: Place, reading: Reading) => void} actions.choose a pixel of the map
 * @param {(place: Place | null) => void} actions.preview a pixel that is pointed at
 * @param {Part} part
 */
export function mountFocus(root, actions, part) {
  const pictures = mountPictures(root, {
    choose: chooseHere,
    preview,
    overInput: part.overInput,
  });
  const slide = mountSlide(findElement(root, "[data-slide]"), {
    choose: chooseHere,
    cover: pictures.cover,
  });
  /** @type {Reading | null} */
  let shown = null;

  /** @param {Place} at */
  function chooseHere(at) {
    if (shown !== null) actions.choose(at, shown);
  }

  /** @param {Place | null} at a pixel of the map that is pointed at */
  function preview(at) {
    if (shown === null) return;
    pictures.preview(at);
    actions.preview(at);
    actions.lookAt(at && fieldAt(shown.reach, at));
  }

  return {
    /** @type {Part["show"]} */
    show(reading, place, chosen) {
      shown = reading;
      slide.show(reading, place);
      pictures.show(reading, place);
      part.show(reading, place, chosen);
    },

    /** @param {Field | null} field */
    lookAt: (field) => pictures.lookAt(field),

    /** The view is left. */
    pause: () => slide.pause(),
  };
}

/** A map before and after ReLU, and after batch norm, as tables. @param {Reading} reading */
export const mapTables = ({ mapName, before, after, norm, out, across }) => [
  mapValues(`${mapName} before ReLU`, before, across),
  mapValues(`${mapName} after ReLU`, after, across),
  ...(norm ? [mapValues(`${mapName} after batch norm`, out, across)] : []),
];
