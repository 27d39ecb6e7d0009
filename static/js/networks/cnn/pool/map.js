/**
 * The chosen map: its pictures, what it loses, and where on the input a window looks.
 * @import { Field } from "../../../types.js"
 * @import { Place, PooledMap } from "./windows.js"
 * @import { PoolHooks } from "./view.js"
 */
import { ink } from "../../../lib/color.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { findElement, setText } from "../../../ui/dom.js";
import { framedPicture, showLegend } from "../../../ui/pictures.js";
import { mountPictures } from "./pictures.js";
import { CORNERS, lossOf, tiesIn } from "./windows.js";
import { lossWords, tieWords } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {PoolHooks} hooks
 */
export function mountMap(root, hooks) {
  const { names, lookAtPixel, lookAtWindow, fieldOf } = hooks;
  const title = findElement(root, "[data-map-title]");
  const readout = findElement(root, "[data-map-readout]");
  const loss = findElement(root, "[data-map-loss]");
  const seen = findElement(root, "[data-seen]");
  const input = framedPicture(findElement(root, "[data-input]"));
  const pictures = mountPictures(root, {
    ...hooks,
    hover(window, pixel) {
      if (pixel === null) lookAtWindow(window);
      else lookAtPixel(pixel);
      tell(window, pixel);
    },
  });
  showLegend(findElement(root, "[data-input-legend]"), ink(), {
    unit: "ink",
    decimals: 0,
  });
  /** @type {{ map: PooledMap, window: Place } | null} */
  let shown = null;

  /**
   * @param {Place | null} window null: the chosen one
   * @param {Place | null} pixel of the map below, where the pointer is on one
   */
  function tell(window, pixel) {
    if (shown === null) return;
    const words = [windowText(shown.map, window ?? shown.window)];
    if (pixel !== null) words.push(pixelText(shown.map, pixel));
    setText(readout, words.join("; "));
  }

  const tellLoss = memoize(
    (/** @type {PooledMap} */ map, /** @type {number} */ number) => {
      const { ties, empty } = tiesIn(map);
      const lost = lossWords(lossOf(map), `Map ${number}`);
      loss.textContent = `${lost} ${tieWords(ties, empty)}`;
    },
  );
  const showInput = memoize((/** @type {Float64Array} */ values) =>
    input.show(values, Math.sqrt(values.length)),
  );

  return {
    /**
     * @param {Float64Array} values ink of the image, row by row
     * @param {PooledMap} map
     * @param {number} number of the map
     * @param {Place} pixel
     * @param {Place} window
     */
    show(values, map, number, pixel, window) {
      shown = { map, window };
      setText(title, `Map ${number} of ${names.below}, and what goes on`);
      pictures.show(map, pixel, window);
      tellLoss(map, number);
      showInput(values);
      const field = fieldOf(window);
      input.frame(field);
      setText(seen, `${field.size}×${field.size} pixels that the window sees`);
      tell(null, null);
    },

    /** @param {Field | null} field */
    lookAt: (field) => input.point(field),
  };
}

/**
 * @param {PooledMap} map
 * @param {Place} window
 */
function windowText({ pooled, winners, across }, { row, column }) {
  const i = row * across + column;
  const words = `window at row ${row}, column ${column}: ${fixed(pooled[i])} goes on`;
  return pooled[i] > 0 ? `${words} from its ${CORNERS[winners[i]]} pixel` : words;
}

/**
 * @param {PooledMap} map
 * @param {Place} pixel of the map below
 */
function pixelText({ below, side }, { row, column }) {
  return `pixel at row ${row}, column ${column}: ${fixed(below[row * side + column])}`;
}
