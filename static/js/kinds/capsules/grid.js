/**
 * The activations of all capsules of a layer, a tile for each type, and those of the chosen
 * type with their numbers.
 * @import { Layout } from "../../geometry/tiles.js"
 * @import { Layer, Tensor } from "../types.js"
 * @import { CapsulesState, Place } from "./types.js"
 */

import { tilePlace } from "../../geometry/tiles.js";
import { spanWords } from "../../geometry/windows.js";
import { sequential } from "../../lib/color.js";
import { compact } from "../../lib/decimals.js";
import { fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { paintTiles } from "../../paint/heatmap.js";
import { find, findCanvas, findElement, setText, svg } from "../../ui/dom.js";
import {
  fitToPicture,
  frameCell,
  frameTile,
  pickFromGrid,
} from "../../ui/grid-picker.js";
import { numberGrid } from "../../ui/number-grid.js";
import { showLegend } from "../../ui/pictures.js";
import { isVector } from "./index.js";
import { gridOf, numberOf } from "./places.js";

const NARROW = "(max-width: 560px)";
const MOST_WRITTEN = 6; // cells in a row that have room for their numbers

/** Activations and lengths are in 0..1, so the scale is too, whatever the image. */
const SCALE = sequential(0, 1);

/**
 * How the tiles lie. Many small grids, or few large ones; the tiles' numbers stand in the
 * gaps, and the frame keeps clear of them.
 * @param {Layer} layer
 */
function styleOf(layer) {
  return isVector(layer)
    ? {
        name: "length",
        acrossOf: (/** @type {boolean} */ isNarrow) => (isNarrow ? 4 : 8),
        gapOf: () => 2,
        margin: 0.35,
        above: () => 0.6,
      }
    : {
        name: "activation",
        acrossOf: (/** @type {boolean} */ _, /** @type {number} */ count) =>
          Math.min(count, 4),
        gapOf: (/** @type {number} */ rows) => Math.max(1, Math.round(rows / 4)),
        margin: 0.2,
        above: (/** @type {number} */ gap) => gap / 5,
      };
}

/** @typedef {Pick<CapsulesState, "model" | "trace">} Shown */

/**
 * What the reader does here.
 * @typedef {object} Hand
 * @property {(place: Place) => void} choose
 * @property {(place: Place | null) => void} hover
 */

/** @param {HTMLElement} root @param {Layer} layer @param {Hand} hand */
export function mountTypes(root, layer, { choose, hover }) {
  const readout = findElement(root, "[data-types-readout]");
  const style = styleOf(layer);
  /** @type {Shown | null} */
  let shown = null;
  /** @type {Place} */
  let place = { type: 0, row: 0, column: 0 };

  showLegend(findElement(root, "[data-types-legend]"), SCALE, {
    unit: style.name,
    decimals: 0,
  });

  /** @param {Place} at */
  function valueWords(at) {
    if (shown === null) return "";
    const { shape, data } = shown.trace.tensors.activation;
    return `row ${at.row}, column ${at.column}: ${style.name} ${fixed(data[numberOf(gridOf(shape), at)])}`;
  }
  /** @param {Place} at */
  function tell(at) {
    const seen = shown && layer.field(shown.model, at.row, at.column);
    if (!seen) return;
    setText(
      readout,
      `type ${at.type}, ${valueWords(at)}; sees input ${spanWords(seen)}`,
    );
  }
  const hand = {
    choose,
    hover(/** @type {Place | null} */ at) {
      tell(at ?? place);
      hover(at);
    },
  };
  const sheet = mountSheet(root, style, hand);
  const words = isVector(layer) ? valueWords : undefined;
  const type = mountType(root, style, { ...hand, words });

  return {
    /** @param {Shown} state @param {Place} placeNow */
    show(state, placeNow) {
      shown = state;
      place = placeNow;
      const { activation } = state.trace.tensors;
      sheet(activation, place);
      type(activation, place);
      tell(place);
    },
  };
}

/**
 * A tile for each type.
 * @param {HTMLElement} root @param {ReturnType<typeof styleOf>} style
 * @param {Hand} hand
 */
function mountSheet(root, style, { choose, hover }) {
  const sheet = findElement(root, "[data-types]");
  const canvas = findCanvas(sheet, "canvas");
  const numbers = find(sheet, ".written", SVGSVGElement);
  const frames = find(sheet, ".frames", SVGSVGElement);
  const chosenType = find(frames, "[data-chosen-type]", SVGRectElement);
  const chosen = find(frames, "[data-chosen]", SVGRectElement);
  const pointed = find(frames, ".pointed", SVGRectElement);
  const title = findElement(root, "[data-types-title]");
  const narrow = matchMedia(NARROW);
  /** @type {Layout} */
  let layout = { count: 1, across: 1, rows: 1, columns: 1, gap: 1 };
  /** @type {{ activation: Tensor, place: Place } | null} */
  let shown = null;

  const paint = memoize(
    (/** @type {Tensor} */ { shape, data }, /** @type {boolean} */ isNarrow) => {
      const [count, rows, columns] = shape;
      const across = style.acrossOf(isNarrow, count);
      layout = { count, across, rows, columns, gap: style.gapOf(rows) };
      fitToPicture(numbers, layout);
      fitToPicture(frames, layout);
      numbers.style.setProperty("--size", `${rows / 6}px`);
      numbers.replaceChildren(...tileNumbers(layout, style.above(layout.gap)));
      setText(title, `All ${count} types`);
      paintTiles(canvas, data, layout, () => SCALE);
    },
  );
  pickFromGrid(canvas, {
    layout: () => shown && layout,
    step: "place",
    chosen: () => ({
      row: 0,
      column: 0,
      ...shown?.place,
      place: shown?.place.type ?? 0,
    }),
    choose: ({ place: type, row, column }) => choose({ type, row, column }),
    hover(cell) {
      frameCell(pointed, layout, cell);
      hover(cell && { type: cell.place, row: cell.row, column: cell.column });
    },
  });
  narrow.addEventListener("change", draw);

  function draw() {
    if (shown === null) return;
    const { activation, place } = shown;
    paint(activation, narrow.matches);
    frameTile(chosenType, layout, place.type, style.margin);
    frameCell(chosen, layout, { ...place, place: place.type });
    numbers.querySelector(".is-chosen")?.classList.remove("is-chosen");
    numbers.children[place.type].classList.add("is-chosen");
  }

  return (/** @type {Tensor} */ activation, /** @type {Place} */ place) => {
    shown = { activation, place };
    draw();
  };
}

/**
 * The chosen type.
 * @param {HTMLElement} root @param {ReturnType<typeof styleOf>} style
 * @param {Hand & { words?: (at: Place) => string }} hand
 */
function mountType(root, style, { choose, hover, words }) {
  const grid = numberGrid(findElement(root, "[data-type-grid]"));
  const name = root.querySelector("[data-type-name]");
  let place = { type: 0, row: 0, column: 0 };
  /** @param {{ row: number, column: number }} cell */
  const at = ({ row, column }) => ({ type: place.type, row, column });

  const paint = memoize(
    (/** @type {Tensor} */ { shape, data }, /** @type {number} */ type) => {
      const [, rows, columns] = shape;
      const from = type * rows * columns;
      grid.show(data.subarray(from, from + rows * columns), {
        rows,
        columns,
        scale: SCALE,
        format: rows > MOST_WRITTEN ? () => "" : (value) => compact(value, 2),
      });
      if (name !== null) setText(name, `${style.name}s of type ${type}`);
    },
  );
  pickFromGrid(grid.canvas, {
    layout: grid.layout,
    step: "cell",
    chosen: () => ({ place: 0, row: place.row, column: place.column }),
    choose: (cell) => choose(at(cell)),
    hover(cell) {
      grid.point(cell);
      hover(cell && at(cell));
    },
    words: words && ((cell) => words(at(cell))),
  });

  return (/** @type {Tensor} */ activation, /** @type {Place} */ placeNow) => {
    place = placeNow;
    paint(activation, place.type);
    grid.choose(place);
  };
}

/**
 * @param {Layout} layout
 * @param {number} above in cells, how far a number stands above its tile
 */
function tileNumbers(layout, above) {
  return Array.from({ length: layout.count }, (_, type) => {
    const { x, y } = tilePlace(layout, type);
    return svg("text", { x, y: y - above }, String(type));
  });
}
