/**
 * Where one output of a convolution comes from: its window on every map below, the kernel
 * that reads it, and what each map adds to the sum.
 * @import { Content } from "../../ui/h.js"
 * @import { Contributions } from "./reading.js"
 * @import { BeneathLook, Field, Maps, Place, Reach } from "./types.js"
 */
import { sumBars } from "../../draw/bars.js";
import { seen } from "../../draw/maps.js";
import { sheet } from "../../draw/sheet.js";
import { sum } from "../../draw/sum.js";
import { legend } from "../../draw/tiles.js";
import { acrossSquare } from "../../geometry/tiles.js";
import {
  fieldAt,
  paddingWords,
  sizeWords,
  spanWords,
  within,
} from "../../geometry/windows.js";
import { clamp, ranked, reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { fixed, signed } from "../../lib/format.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { differenceWords, roundingOfSum } from "../../lib/precision.js";
import { findElement, setText, uniqueId } from "../../ui/dom.js";
import { fill, h } from "../../ui/h.js";
import { button, choices } from "../../ui/inputs.js";
import { mapOf } from "./maps.js";
import { productGrids } from "./products.js";

/** How many maps are told one by one. */
const NAMED = 12;

const ACROSS_WHEN_NARROW = 12; // tiles stay large enough for a finger

const SHOWN = /** @type {const} */ (["window", "weights", "products"]);
const ORDERS = /** @type {const} */ (["share", "number"]);

/**
 * One output of a convolution and what lies beneath it.
 * @typedef {object} Beneath
 * @property {Maps} maps (maps, rows, columns), those below
 * @property {Reach} reach what their pixels see on the input
 * @property {Field} window in their pixels
 * @property {Contributions} parts
 */

/**
 * What the reader does here.
 * @typedef {object} BeneathActions
 * @property {(field: Field | null) => void} lookAt
 * @property {(map: number) => void} chooseMap of those below
 * @property {(look: Partial<BeneathLook>) => void} lookBeneath
 * @property {(pixel: Place) => void} openPixel go to a pixel of the chosen map below
 */

/**
 * What things are called here.
 * @typedef {object} BeneathWords
 * @property {string} below whose maps they are
 * @property {string} unit of the maps' values
 * @property {boolean} [isSigned] whether these can be below zero
 * @property {string} reader what reads one map: a kernel, or the slice of one
 * @property {boolean} [isRectified] whether the trace has the sum after ReLU
 * @property {string} precision why it may differ from the trace
 * @property {number} [named] how many maps are told one by one
 */

/**
 * What is shown of it.
 * @typedef {object} BeneathChosen
 * @property {number} map of those below
 * @property {BeneathLook} look
 * @property {string} name of the output
 * @property {number} traced its value, as the trace says
 */

/** Where the window was pointed at last, and what points. @typedef {{ id: string, cell: Place | null, point: (cell: Place | null) => void }} Pointing */

/**
 * @param {Beneath} beneath @param {BeneathChosen} chosen @param {BeneathActions} actions
 * @param {BeneathWords} words @param {Pointing} pointing
 * @returns {Content}
 */
export function beneathPicture(beneath, chosen, actions, words, pointing) {
  const { parts } = beneath;
  const { map, look, name, traced } = chosen;
  const { isRectified, precision, named = NAMED } = words;
  const how = `Worked out here from ${words.below}'s maps${isRectified ? ", before ReLU" : ""}`;
  const readers = `Its ${words.reader.replace(/s?$/, "s")}`;
  const shown = SHOWN.indexOf(look.shown);
  const order = ORDERS.indexOf(look.order);
  return [
    h("div", { class: "controls" }, [
      choices("Show", ["What it saw", readers, "Products"], shown, (at) =>
        actions.lookBeneath({ shown: SHOWN[at] }),
      ),
      choices("Order", ["what adds most", "number"], order, (at) =>
        actions.lookBeneath({ order: ORDERS[at] }),
      ),
    ]),
    h("div", { class: "beneath-body" }, [
      h(
        "div",
        { class: "beneath-sheet", "data-sheet": "" },
        windowSheet(beneath, chosen, actions, words),
      ),
      h("div", { class: "beneath-shares", "data-shares": "" }, [
        sumBars({
          ...{
            caption: "What each map adds",
            heads: ["map", "adds"],
            sums: [parts],
            shown: named,
          },
          ...{ term: "map", total: name, pressed: map, choose: actions.chooseMap },
        }),
        h(
          "p",
          { class: "fine", "data-share-check": "" },
          checkText({ ...parts, isRectified }, traced, how, precision),
        ),
      ]),
      h(
        "div",
        { class: "beneath-map", "data-one-map": "" },
        oneMap(beneath, map, actions, words, pointing),
      ),
    ]),
  ];
}

const byShare = memoizeByObject(
  (/** @type {Contributions} */ parts) => parts,
  ({ shares }) => ranked(shares.map(Math.abs)),
);

const tilesOf = memoize(
  (
    /** @type {Contributions} */ parts,
    /** @type {Field} */ window,
    /** @type {BeneathLook["shown"]} */ shown,
    /** @type {boolean} */ isSigned,
  ) => {
    const { size: rows, columns = rows } = window;
    const data = shown === "window" ? parts.windows : parts[shown];
    const most = reach(data) || 1;
    const isAbove = shown === "window" && !isSigned;
    const count = parts.shares.length;
    const across = acrossSquare(count);
    return {
      ...{ data, scale: isAbove ? sequential(0, most) : diverging(most) },
      layout: { count, rows, columns, gap: 1, across },
      narrow: Math.min(across, ACROSS_WHEN_NARROW),
    };
  },
);

/**
 * The window on every map below, the slices of the kernel that read it, or the products of
 * both: one tile for each map.
 * @param {Beneath} beneath @param {BeneathChosen} chosen @param {BeneathActions} actions
 * @param {BeneathWords} words
 */
function windowSheet(beneath, { map, look }, { chooseMap, lookAt }, words) {
  const { parts, window } = beneath;
  const { unit: activation, isSigned = false } = words;
  const tiles = tilesOf(parts, window, look.shown, isSigned);
  const units = { window: activation, weights: "kernel weight", products: "product" };
  const chosen = { tile: map, row: 0, column: 0 };
  return [
    sheet({
      label: "The window on every map, its kernels or the products",
      ...tiles,
      order: look.order === "share" ? byShare(parts) : undefined,
      ...{ step: "place", chosen },
      choose: ({ tile }) => chooseMap(tile),
      look: (at) => lookAt(at && fieldOfCell(beneath, at)),
      words(at) {
        const { tile, row, column } = at;
        const adds = `map ${tile} adds ${signed(parts.shares[tile])}`;
        const { rows, columns } = tiles.layout;
        const value = tiles.data[(tile * rows + row) * columns + column];
        return at === chosen
          ? adds
          : `${adds}; row ${row}, column ${column} of its window: ${fixed(value)}`;
      },
    }),
    legend(tiles.scale, units[look.shown], 3),
  ];
}

const pictureOf = memoize(
  (
    /** @type {Maps} */ maps,
    /** @type {number} */ map,
    /** @type {boolean} */ isSigned,
  ) => {
    const values = mapOf(maps, map);
    const most = reach(values) || 1;
    const scale = isSigned ? diverging(most) : sequential(0, most);
    return { values, columns: maps.shape[2], scale };
  },
);

/**
 * The chosen map below, the window framed, and window × kernel, cell by cell.
 * @param {Beneath} beneath @param {number} chosen @param {BeneathActions} actions
 * @param {BeneathWords} words @param {Pointing} pointing
 */
function oneMap(beneath, chosen, actions, words, { id, cell, point }) {
  const { window, maps, parts } = beneath;
  const { unit, reader, isSigned = false } = words;
  const { size, columns = size } = window;
  const [, down, across] = maps.shape;
  const map = pictureOf(maps, chosen, isSigned);
  const cells = size * columns;
  const own = (/** @type {Float64Array | Float32Array} */ all) =>
    all.subarray(chosen * cells, (chosen + 1) * cells);
  const middleOf = (/** @type {number} */ count) => Math.floor((count - 1) / 2);
  const told = `${id}-product`;
  function open() {
    const at = cell ?? { row: middleOf(size), column: middleOf(columns) };
    const { row, column } = pixelOfCell(beneath, at);
    actions.openPixel({
      row: clamp(row, 0, down - 1),
      column: clamp(column, 0, across - 1),
    });
  }
  return [
    h("h4", { "data-map-title": "" }, `Map ${chosen}: window × ${reader}`),
    h("div", { class: "beneath-products" }, [
      h("figure", {}, [
        seen({
          label:
            "The chosen map; a frame shows the window. Arrow keys move in the window.",
          ...{ map, field: window, pointed: cell && pixelUnder(beneath, cell) },
          pick: {
            ...{ told, chosen: pixelOfCell(beneath, cell ?? { row: 0, column: 0 }) },
            choose: (pixel) =>
              cellOfPixel(beneath, pixel) && point(cellOfPixel(beneath, pixel)),
            hover: (pixel) => point(pixel && cellOfPixel(beneath, pixel)),
          },
        }),
        h("figcaption", {}, "the map, its window framed", legend(map.scale, unit, 3)),
      ]),
      h(
        "div",
        {},
        productGrids({
          ...{
            told,
            name: "window:",
            reader,
            columns,
            scale: map.scale,
            unit: "activation",
            cell,
            point,
          },
          ...{
            patch: own(parts.windows),
            weights: own(parts.weights),
            products: own(parts.products),
          },
          where: `${spanWords(window)} of the map${paddingWords(window, { rows: down, columns: across })}`,
        }),
      ),
    ]),
    sum(`${signed(parts.shares[chosen])} {map ${chosen}'s ${cells} products, summed}`),
    h("p", {}, button(`Open map ${chosen} in ${words.below}`, open)),
  ];
}

/**
 * The same in a place of its own.
 * @param {HTMLElement} root with places `data-beneath-body` and `data-window-size`
 * @param {BeneathActions} actions @param {BeneathWords} words
 */
export function mountBeneath(root, actions, words) {
  const windowSize = findElement(root, "[data-window-size]");
  const place = findElement(root, "[data-beneath-body]");
  const id = uniqueId("beneath");
  /** @type {Place | null} */
  let cell = null;
  let isWaiting = true;
  /** @type {{ beneath: Beneath, chosen: BeneathChosen } | null} */
  let shown = null;
  /** @param {Place | null} at */
  function point(at) {
    cell = at ?? cell;
    actions.lookAt(at && shown && fieldOfCell(shown.beneath, at));
    draw();
  }
  function draw() {
    const waiting = { class: "fine", role: "status", hidden: !isWaiting };
    const pointing = { id, cell, point };
    const picture =
      shown && beneathPicture(shown.beneath, shown.chosen, actions, words, pointing);
    fill(
      place,
      h("p", waiting, "Loading the kernels …"),
      h("div", { class: isWaiting && "is-old" }, picture),
    );
  }
  return {
    /**
     * @param {Beneath | null} beneath null while its kernels are on their way: the last
     *   picture stays, dimmed
     * @param {BeneathChosen} chosen
     */
    show(beneath, chosen) {
      isWaiting = beneath === null;
      if (beneath) {
        shown = { beneath, chosen };
        setText(windowSize, sizeWords(beneath.window));
      }
      draw();
    },
  };
}

/**
 * The sum beside the network's own, and why the two differ.
 * @param {{ products: ArrayLike<number>, total: number, isRectified?: boolean }} parts
 *   isRectified: whether the network's own is the sum after ReLU
 * @param {number} traced
 * @param {string} how the sum was worked out @param {string} cause
 */
export function checkText({ products, total, isRectified }, traced, how, cause) {
  const worked = isRectified ? Math.max(0, total) : total;
  const most = roundingOfSum(products, traced);
  const why =
    fixed(worked, 4) === fixed(traced, 4)
      ? "the same"
      : differenceWords(traced - worked, most, cause);
  const after = isRectified ? `, after ReLU ${fixed(worked, 4)}` : "";
  return `${how}: ${fixed(total, 4)}${after}. The network's trace says ${fixed(traced, 4)}; ${why}.`;
}

/**
 * A cell of the window as a pixel of the maps.
 * @param {Pick<Beneath, "window">} beneath
 * @param {Place} cell of the window, from its top left
 * @returns {Place}
 */
export function pixelOfCell({ window }, { row, column }) {
  return { row: window.row + row, column: window.column + column };
}

/**
 * The same, where it is a pixel and no padding.
 * @param {Pick<Beneath, "window" | "maps">} beneath @param {Place} cell
 */
function pixelUnder(beneath, cell) {
  const [, rows, columns] = beneath.maps.shape;
  return within({ ...pixelOfCell(beneath, cell), size: 1 }, { rows, columns });
}

/**
 * What a cell of the window saw on the input.
 * @param {Pick<Beneath, "window" | "reach" | "maps">} beneath @param {Place} cell
 * @returns {Field | null} null where the cell lies on padding
 */
export function fieldOfCell(beneath, cell) {
  const pixel = pixelUnder(beneath, cell);
  return pixel && fieldAt(beneath.reach, pixel);
}

/**
 * A pixel of the maps as a cell of the window.
 * @param {Pick<Beneath, "window">} beneath @param {Place} pixel
 * @returns {Place | null} null outside of it
 */
export function cellOfPixel({ window }, { row, column }) {
  const cell = { row: row - window.row, column: column - window.column };
  const { size, columns = size } = window;
  const isInside =
    cell.row >= 0 && cell.row < size && cell.column >= 0 && cell.column < columns;
  return isInside ? cell : null;
}
