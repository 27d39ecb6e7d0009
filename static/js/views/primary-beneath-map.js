/**
 * The chosen map beneath a capsule: the map with the window framed, and window × kernel,
 * cell by cell.
 * @import { Actions } from "../state.js"
 * @import { Beneath, Cell } from "./primary-window.js"
 */
import { sequential } from "../lib/color.js";
import { mapOf } from "../lib/maps.js";
import { signed } from "../lib/number.js";
import { onChange } from "../lib/on-change.js";
import { reach } from "../lib/rank.js";
import { find, findElement } from "../parts/find.js";
import { framedPicture } from "../parts/framed-picture.js";
import { pickFromGrid } from "../parts/grid-picker.js";
import { showLegend } from "../parts/legend.js";
import { productGrids } from "../parts/product-grids.js";
import { writer } from "../parts/writer.js";
import { fieldOfCell, pixelOfCell } from "./primary-window.js";

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountBeneathMap(root, actions) {
  const picture = framedPicture(findElement(root, "[data-map-picture]"));
  const grids = productGrids(root, point);
  const write = writer(root);
  const openButton = find(root, "[data-open-map]", HTMLButtonElement);
  /** @type {Beneath | null} */
  let beneath = null;
  let map = 0;
  /** @type {Cell | null} */
  let last = null;

  /** @param {Cell | null} cell of the window */
  function point(cell) {
    grids.point(cell);
    if (beneath === null) return;
    const { row, column } = beneath.window;
    picture.point(
      cell && { row: row + cell.row, column: column + cell.column, size: 1 },
    );
    actions.lookAt(cell && fieldOfCell(beneath, cell));
    if (cell !== null) last = cell;
  }

  /** @param {Cell} pixel of the map @returns {Cell | null} of the window */
  function inWindow({ row, column }) {
    if (beneath === null) return null;
    const { window } = beneath;
    const cell = { row: row - window.row, column: column - window.column };
    const isInside = [cell.row, cell.column].every((at) => at >= 0 && at < window.size);
    return isInside ? cell : null;
  }
  pickFromGrid(picture.canvas, {
    layout: picture.layout,
    step: "cell",
    chosen() {
      const { row, column } = beneath?.window ?? { row: 0, column: 0 };
      const cell = last ?? { row: 0, column: 0 };
      return { place: 0, row: row + cell.row, column: column + cell.column };
    },
    choose(pixel) {
      const cell = inWindow(pixel);
      if (cell !== null) point(cell);
    },
    hover: (pixel) => point(pixel && inWindow(pixel)),
  });
  picture.canvas.addEventListener("blur", () => point(null));

  openButton.addEventListener("click", () => {
    if (beneath === null) return;
    const middle = (beneath.window.size - 1) / 2;
    const cell = last ?? { row: middle, column: middle };
    actions.choosePixel(pixelOfCell(beneath, cell));
    actions.lookAtConv1({ shown: "relu" });
    actions.openView("conv1");
  });

  const showMap = onChange(
    (/** @type {Beneath} */ { layer, window, parts }, /** @type {number} */ chosen) => {
      const values = mapOf(layer.maps, chosen);
      const [, side] = layer.maps.shape;
      const scale = sequential(0, reach(values) || 1);
      picture.show(values, side, scale);
      picture.frame(window);
      showLegend(findElement(root, "[data-map-legend]"), scale, {
        unit: "activation after ReLU",
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
      write("map-title", `Map ${chosen}: window × kernel`);
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
      map = chosen;
      showMap(beneath, map);
    },
  };
}
