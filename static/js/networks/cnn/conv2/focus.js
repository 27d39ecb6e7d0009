/**
 * One pixel of a Conv2 map: what it sees, its kernel, its map before and after ReLU, and
 * the sum over all maps below, which point and move together.
 * @import { Place, Seen } from "../../../convolution/types.js"
 * @import { Field } from "../../../types.js"
 * @import { Actions, CnnSlice } from "../types.js"
 * @import { DeepLayer } from "./layer.js"
 */
import { fieldAt, placeOf } from "../../../convolution/field.js";
import { mountPictures } from "../../../convolution/pictures.js";
import { mountSlide } from "../../../convolution/slide.js";
import { mountTables } from "../../../convolution/tables.js";
import { memoize } from "../../../lib/memoize.js";
import { findElement } from "../../../ui/dom.js";
import { showSeenFirst } from "../../../ui/seen.js";
import { beneathOf, seenBy } from "./layer.js";
import { listedOf } from "./listed.js";
import { mountSlices } from "./slices.js";
import { mountSum } from "./sum.js";

/** @typedef {Pick<CnnSlice, "map" | "map2" | "pixel2" | "beneath">} Chosen */

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 * @param {(pixel: Place) => void} openPixel go to a pixel of the chosen map below
 */
export function mountFocus(root, actions, openPixel) {
  const pictures = mountPictures(root, { choose, preview, overInput });
  const slices = mountSlices(findElement(root, "[data-kernel]"), actions.chooseMap);
  const slide = mountSlide(findElement(root, "[data-slide]"), {
    choose,
    cover: pictures.cover,
  });
  const sum = findElement(root, "[data-beneath]");
  const showSum = showSeenFirst(sum, mountSum(sum, { ...actions, openPixel }).show);
  const tables = mountTables(root);
  const read = memoize(seenBy);
  const workOut = memoize(beneathOf);
  const list = memoize(listedOf);
  /** @type {{ layer: DeepLayer, seen: Seen, chosen: Chosen } | null} */
  let shown = null;

  /** @param {Place} pixel of the map */
  function choose({ row, column }) {
    if (shown !== null) actions.choosePixel2(row * shown.seen.across + column);
  }

  /** @param {Place | null} at a pixel of the map that is pointed at */
  function preview(at) {
    if (shown === null) return;
    pictures.preview(at);
    explain(at);
    actions.lookAt(at && fieldAt(shown.seen.reach, at));
  }

  /** @param {Place | null} pixel of the input */
  function overInput(pixel) {
    actions.lookAt(pixel && { row: pixel.row, column: pixel.column, size: 1 });
  }

  /** @param {Place | null} at null: the chosen pixel */
  function explain(at) {
    if (shown === null) return;
    const { layer, seen, chosen } = shown;
    const { row, column } = at ?? placeOf(chosen.pixel2, seen.across);
    const beneath = workOut(layer, chosen.map2, row, column);
    showSum(beneath, chosen, seen.before[row * seen.across + column]);
    return beneath;
  }

  return {
    /**
     * @param {DeepLayer} layer
     * @param {Chosen} chosen
     */
    show(layer, chosen) {
      const seen = read(layer, chosen.map2);
      shown = { layer, seen, chosen };
      const place = placeOf(chosen.pixel2, seen.across);
      slide.show(seen, place);
      pictures.show(seen, place);
      slices.show(layer, chosen.map2, chosen.map);
      const beneath = explain(null);
      if (beneath) tables.show(list(seen, beneath, chosen.map2, chosen.map));
    },

    /** @param {Field | null} field */
    lookAt: (field) => pictures.lookAt(field),

    /** The view is left. */
    pause: () => slide.pause(),
  };
}
