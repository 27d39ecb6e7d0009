/**
 * All primary capsules by length: one tile for each type.
 * @import { Layout } from "../../../geometry/tiles.js"
 * @import { Place, Primary } from "./index.js"
 * @import { Actions } from "../types.js"
 */

import { tilePlace } from "../../../geometry/tiles.js";
import { sequential } from "../../../lib/color.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { paintTiles } from "../../../paint/heatmap.js";
import { find, findCanvas, findElement, svg } from "../../../ui/dom.js";
import {
  fitToPicture,
  frameCell,
  frameTile,
  pickFromGrid,
} from "../../../ui/grid-picker.js";
import { showLegend } from "../../../ui/pictures.js";
import { tableByType } from "../../../ui/tables.js";
import { fieldOfCapsule } from "../places.js";

const NARROW = "(max-width: 560px)";
const ACROSS = 8;
const ACROSS_WHEN_NARROW = 4;
const GAP = 2; // cells; the tiles' numbers stand in it

const FRAME_MARGIN = 0.35; // cells; clear of the numbers

/** Lengths are in [0, 1), so the scale is too, whatever the image. */
const SCALE = sequential(0, 1);

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountTypes(root, actions) {
  const canvas = findCanvas(root, "[data-types] canvas");
  const numbers = find(root, "[data-types] .written", SVGSVGElement);
  const frames = find(root, "[data-types] .frames", SVGSVGElement);
  const chosenType = find(frames, "[data-chosen-type]", SVGRectElement);
  const chosen = find(frames, "[data-chosen]", SVGRectElement);
  const pointed = find(frames, ".pointed", SVGRectElement);
  const title = findElement(root, "[data-title]");
  const readout = findElement(root, "[data-readout]");
  const folder = find(root, "details.numbers", HTMLDetailsElement);
  const table = findElement(root, "[data-table]");
  const narrow = matchMedia(NARROW);
  /** @type {Layout} */
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: GAP };
  /** @type {Primary | null} */
  let layer = null;
  /** @type {Place} */
  let place = { type: 0, row: 0, column: 0 };
  /** @type {Place | null} */
  let at = null;

  showLegend(findElement(root, "[data-legend]"), SCALE, {
    unit: "length of a capsule",
    decimals: 0,
  });

  const layOut = memoize(
    (
      /** @type {number} */ count,
      /** @type {number} */ rows,
      /** @type {number} */ columns,
      /** @type {boolean} */ isNarrow,
    ) => {
      const across = isNarrow ? ACROSS_WHEN_NARROW : ACROSS;
      layout = { count, across, rows, columns, gap: GAP };
      fitToPicture(numbers, layout);
      fitToPicture(frames, layout);
      numbers.replaceChildren(...tileNumbers(layout));
      title.textContent = `All ${count} types`;
    },
  );
  const paint = memoize((/** @type {Primary} */ { lengths }, /** @type {Layout} */ _) =>
    paintTiles(canvas, lengths.data, layout, () => SCALE),
  );
  const fillTable = memoize((/** @type {Primary} */ shown) =>
    table.replaceChildren(tableByType(shown.lengths)),
  );

  function draw() {
    if (layer === null) return;
    const [count, rows, columns] = layer.lengths.shape;
    layOut(count, rows, columns, narrow.matches);
    paint(layer, layout);
    frameTile(chosenType, layout, place.type, FRAME_MARGIN);
    frameCell(chosen, layout, { place: place.type, ...place });
    numbers.querySelector(".is-chosen")?.classList.remove("is-chosen");
    numbers.children[place.type].classList.add("is-chosen");
    if (folder.open) fillTable(layer);
    tell();
  }

  /** Tell of the capsule that is pointed at, else of the chosen one. */
  function tell() {
    if (layer === null) return;
    const { type, row, column } = at ?? place;
    const length = layer.lengths.data[indexOf({ type, row, column })];
    const { row: top, column: left, size } = fieldOfCapsule(layer.sizes, row, column);
    readout.textContent = `type ${type}, row ${row}, column ${column}: length ${fixed(length)}; sees input rows ${top}–${top + size - 1}, columns ${left}–${left + size - 1}`;
  }

  /** @param {Place} at */
  function indexOf({ type, row, column }) {
    return (type * layout.rows + row) * layout.columns + column;
  }

  pickFromGrid(canvas, {
    layout: () => layer && layout,
    step: "place",
    chosen: () => ({ place: place.type, row: place.row, column: place.column }),
    choose: ({ place: type, row, column }) =>
      actions.chooseCapsule(indexOf({ type, row, column })),
    hover(cell) {
      frameCell(pointed, layout, cell);
      at = cell && { ...cell, type: cell.place };
      tell();
      const sizes = layer?.sizes;
      actions.lookAt(
        cell && sizes ? fieldOfCapsule(sizes, cell.row, cell.column) : null,
      );
    },
  });
  narrow.addEventListener("change", draw);
  folder.addEventListener("toggle", draw);

  return {
    /** @param {Primary} layerNow @param {Place} placeNow */
    show(layerNow, placeNow) {
      layer = layerNow;
      place = placeNow;
      draw();
    },
  };
}

/** @param {Layout} layout */
function tileNumbers(layout) {
  return Array.from({ length: layout.count }, (_, type) => {
    const { x, y } = tilePlace(layout, type);
    return svg("text", { x, y: y - 0.6 }, String(type));
  });
}
