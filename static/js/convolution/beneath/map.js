/**
 * The chosen map below: the map with the window framed, and window × kernel, cell by cell.
 * @import { Place } from "../types.js"
 * @import { BeneathActions, BeneathWords } from "./index.js"
 * @import { Beneath } from "./window.js"
 */

import { reach } from "../../lib/arithmetic.js";
import { sequential } from "../../lib/color.js";
import { signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { find, findElement, writer } from "../../ui/dom.js";
import { pickFromGrid } from "../../ui/grid-picker.js";
import { framedPicture, showLegend } from "../../ui/pictures.js";
import { mapOf } from "../maps.js";
import { productGrids } from "../product-grids.js";
import { cellOfPixel, fieldOfCell, pixelOfCell } from "./window.js";

/**
 * @param {HTMLElement} root
 * @param {BeneathActions} actions
 * @param {BeneathWords} words
 */
export function mountBeneathMap(root, actions, { unit, reader }) {
  const picture = framedPicture(findElement(root, "[data-map-picture]"));
  const grids = productGrids(root, point);
  const write = writer(root);
  const openButton = find(root, "[data-open-map]", HTMLButtonElement);
  /** @type {Beneath | null} */
  let beneath = null;
  /** @type {Place | null} */
  let last = null;

  /** @param {Place | null} cell of the window */
  function point(cell) {
    grids.point(cell);
    if (beneath === null) return;
    picture.point(cell && { ...pixelOfCell(beneath, cell), size: 1 });
    actions.lookAt(cell && fieldOfCell(beneath, cell));
    if (cell !== null) last = cell;
  }

  pickFromGrid(picture.canvas, {
    layout: picture.layout,
    step: "cell",
    chosen() {
      const cell = last ?? { row: 0, column: 0 };
      return { place: 0, ...(beneath ? pixelOfCell(beneath, cell) : cell) };
    },
    choose(pixel) {
      const cell = beneath && cellOfPixel(beneath, pixel);
      if (cell !== null) point(cell);
    },
    hover: (pixel) => point(pixel && beneath && cellOfPixel(beneath, pixel)),
  });
  picture.canvas.addEventListener("blur", () => point(null));

  openButton.addEventListener("click", () => {
    if (beneath === null) return;
    const middle = (beneath.window.size - 1) / 2;
    const cell = last ?? { row: middle, column: middle };
    actions.openPixel(pixelOfCell(beneath, cell));
  });

  const showMap = memoize(
    (/** @type {Beneath} */ { maps, window, parts }, /** @type {number} */ chosen) => {
      const values = mapOf(maps, chosen);
      const [, side] = maps.shape;
      const scale = sequential(0, reach(values) || 1);
      picture.show(values, side, scale);
      picture.frame(window);
      showLegend(findElement(root, "[data-map-legend]"), scale, {
        unit,
        decimals: 3,
      });
      const cells = window.size ** 2;
      const [from, to] = [chosen * cells, (chosen + 1) * cells];
      grids.show({
        worked: {
          patch: parts.windows.subarray(from, to),
          products: parts.products.subarray(from, to),
        },
        weights: parts.weights.subarray(from, to),
        size: window.size,
        scale,
        unit: "activation",
      });
      write("map-title", `Map ${chosen}: window × ${reader}`);
      write(
        "where",
        `rows ${window.row}–${window.row + window.size - 1}, columns ${window.column}–${window.column + window.size - 1} of the map`,
      );
      write("share", signed(parts.shares[chosen]));
      write("share-of", `map ${chosen}'s ${cells} products, summed`);
      write("open-map-name", String(chosen));
    },
  );

  return {
    /** @param {Beneath} shown @param {number} chosen */
    show(shown, chosen) {
      beneath = shown;
      showMap(beneath, chosen);
    },
  };
}
