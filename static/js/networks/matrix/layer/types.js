/**
 * The activations of all capsules of a layer, a tile for each type, and those of the
 * chosen type with their numbers.
 * @import { Layout } from "../../../geometry/tiles.js"
 * @import { Place } from "../types.js"
 * @import { Layer } from "./index.js"
 */
import { numberGrid } from "../../../convolution/number-grid.js";
import { tilePlace } from "../../../geometry/tiles.js";
import { sequential } from "../../../lib/color.js";
import { compact } from "../../../lib/decimals.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { paintTiles } from "../../../paint/heatmap.js";
import { find, findCanvas, findElement, setText, svg } from "../../../ui/dom.js";
import {
  fitToPicture,
  frameCell,
  frameTile,
  pickFromGrid,
} from "../../../ui/grid-picker.js";
import { showLegend } from "../../../ui/pictures.js";
import { fieldOf } from "../places.js";

const ACROSS = 4;
const MOST_WRITTEN = 6; // cells in a row that have room for their numbers
const FRAME_MARGIN = 0.2; // cells

/** Activations are in [0, 1], so the scale is too, whatever the image. */
const SCALE = sequential(0, 1);

/**
 * @param {HTMLElement} root
 * @param {object} hooks
 * @param {(place: Place) => void} hooks.choose
 * @param {(place: Place | null) => void} hooks.hover
 */
export function mountTypes(root, { choose, hover }) {
  const sheet = findElement(root, "[data-types]");
  const canvas = findCanvas(sheet, "canvas");
  const numbers = find(sheet, ".written", SVGSVGElement);
  const frames = find(sheet, ".frames", SVGSVGElement);
  const chosenType = find(frames, "[data-chosen-type]", SVGRectElement);
  const chosen = find(frames, "[data-chosen]", SVGRectElement);
  const pointed = find(frames, ".pointed", SVGRectElement);
  const readout = findElement(root, "[data-types-readout]");
  const grid = numberGrid(findElement(root, "[data-type-grid]"));
  /** @type {Layout} */
  let layout = { count: 1, across: ACROSS, rows: 1, columns: 1, gap: 1 };
  /** @type {Layer | null} */
  let layer = null;
  /** @type {Place} */
  let place = { type: 0, row: 0, column: 0 };

  showLegend(findElement(root, "[data-types-legend]"), SCALE, {
    unit: "activation of a capsule",
    decimals: 0,
  });

  const paint = memoize((/** @type {Layer["activations"]} */ { shape, data }) => {
    const [count, rows, columns] = shape;
    const gap = Math.max(1, Math.round(rows / 4));
    layout = { count, across: Math.min(count, ACROSS), rows, columns, gap };
    fitToPicture(numbers, layout);
    fitToPicture(frames, layout);
    numbers.style.setProperty("--size", `${rows / 6}px`);
    numbers.replaceChildren(...tileNumbers(layout));
    paintTiles(canvas, data, layout, () => SCALE);
  });
  const paintType = memoize(
    (
      /** @type {Layer["activations"]} */ { shape, data },
      /** @type {number} */ type,
    ) => {
      const [, rows, columns] = shape;
      const from = type * rows * columns;
      grid.show(data.subarray(from, from + rows * columns), {
        rows,
        columns,
        scale: SCALE,
        format: rows > MOST_WRITTEN ? () => "" : (value) => compact(value, 2),
      });
    },
  );

  /** @param {Place} at */
  function tell({ type, row, column }) {
    if (layer === null) return;
    const { sizes, name, activations } = layer;
    const [, rows, columns] = activations.shape;
    const value = activations.data[(type * rows + row) * columns + column];
    const seen = fieldOf(sizes, name, { row, column });
    setText(
      readout,
      `type ${type}, row ${row}, column ${column}: activation ${fixed(value)}; sees input rows ${seen.row}–${seen.row + seen.size - 1}, columns ${seen.column}–${seen.column + seen.size - 1}`,
    );
  }

  pickFromGrid(canvas, {
    layout: () => layer && layout,
    step: "place",
    chosen: () => ({ place: place.type, row: place.row, column: place.column }),
    choose: ({ place: type, row, column }) => choose({ type, row, column }),
    hover(cell) {
      frameCell(pointed, layout, cell);
      const at = cell && { type: cell.place, row: cell.row, column: cell.column };
      tell(at ?? place);
      hover(at);
    },
  });
  pickFromGrid(grid.canvas, {
    layout: grid.layout,
    step: "cell",
    chosen: () => ({ place: 0, row: place.row, column: place.column }),
    choose: ({ row, column }) => choose({ type: place.type, row, column }),
    hover(cell) {
      grid.point(cell);
      const at = cell && { type: place.type, row: cell.row, column: cell.column };
      tell(at ?? place);
      hover(at);
    },
  });

  return {
    /** @param {Layer} layerNow @param {Place} placeNow */
    show(layerNow, placeNow) {
      layer = layerNow;
      place = placeNow;
      paint(layer.activations);
      paintType(layer.activations, place.type);
      frameTile(chosenType, layout, place.type, FRAME_MARGIN);
      frameCell(chosen, layout, { place: place.type, ...place });
      grid.choose(place);
      setText(findElement(root, "[data-types-title]"), `All ${layout.count} types`);
      setText(
        findElement(root, "[data-type-name]"),
        `activations of type ${place.type}`,
      );
      tell(place);
    },
  };
}

/** @param {Layout} layout */
function tileNumbers(layout) {
  return Array.from({ length: layout.count }, (_, type) => {
    const { x, y } = tilePlace(layout, type);
    return svg("text", { x, y: y - layout.gap / 5 }, String(type));
  });
}
