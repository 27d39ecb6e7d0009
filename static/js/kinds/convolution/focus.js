/**
 * One pixel of a map: what it sees, its kernel, its map before and after ReLU and the
 * sliding kernel, which point and move together.
 * @import { Chosen, Field, Place, Reading } from "./types.js"
 */

import { fieldAt } from "../../geometry/windows.js";
import { findElement } from "../../ui/dom.js";
import { mountPictures } from "./pictures.js";
import { mountSlide } from "./slide.js";

/**
 * The kernel among these pictures.
 * @typedef {object} KernelPart
 * @property {(reading: Reading, place: Place, chosen: Pick<Chosen, "channel">) => void} show
 * @property {(pixel: Place | null) => void} overInput
 * @property {(cell: Place | null) => void} point at a cell of the kernel
 */

/**
 * @param {HTMLElement} root
 * @param {object} actions
 * @param {(field: Field | null) => void} actions.lookAt
 * @param {(place: Place, reading: Reading) => void} actions.choose a pixel of the map
 * @param {(place: Place | null) => void} actions.preview a pixel that is pointed at
 * @param {KernelPart} kernel
 */
export function mountFocus(root, actions, kernel) {
  const pictures = mountPictures(root, {
    choose: chooseHere,
    preview,
    overInput: kernel.overInput,
  });
  const slide = mountSlide(findElement(root, "[data-slide]"), {
    choose: chooseHere,
    cover: pictures.cover,
  });
  /** @type {Reading | null} */
  let current = null;

  /** @param {Place} at */
  function chooseHere(at) {
    if (current !== null) actions.choose(at, current);
  }

  /** @param {Place | null} at a pixel of the map that is pointed at */
  function preview(at) {
    if (current === null) return;
    pictures.preview(at);
    actions.preview(at);
    actions.lookAt(at && fieldAt(current.reach, at));
  }

  return {
    /** @type {KernelPart["show"]} */
    show(reading, place, chosen) {
      current = reading;
      slide.show(reading, place);
      pictures.show(reading, place);
      kernel.show(reading, place, chosen);
    },

    /** @param {Field | null} field */
    lookAt: (field) => pictures.lookAt(field),

    /** The view is left. */
    pause: () => slide.pause(),
  };
}
