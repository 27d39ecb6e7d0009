/**
 * Where one output of a convolution comes from: its window on every map below, the kernel
 * that reads it, and what each map adds to the sum.
 * @import { At } from "../../ui/maps.js"
 * @import { Contributions } from "./reading.js"
 * @import { BeneathLook, Field, Maps, Place, Reach } from "./types.js"
 */
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
import { memoize } from "../../lib/memoize.js";
import { differenceWords, roundingOfSum } from "../../lib/precision.js";
import { fillSumRows, termButton } from "../../ui/bars.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { find, findElement, setText, writer } from "../../ui/dom.js";
import { pickFromGrid } from "../../ui/grid-picker.js";
import { tileSheet } from "../../ui/maps.js";
import { framedPicture, showLegend } from "../../ui/pictures.js";
import { mapOf } from "./maps.js";
import { productGrids } from "./products.js";

/** How many maps are told one by one. */
const NAMED = 12;

const ACROSS_WHEN_NARROW = 12; // tiles stay large enough for a finger

/** What the tiles are made of. */
const PARTS = /** @type {const} */ ({
  window: "windows",
  weights: "weights",
  products: "products",
});

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
 * @property {string} unit of the maps' values
 * @property {boolean} [isSigned] whether these can be below zero
 * @property {string} reader what reads one map: a kernel, or the slice of one
 * @property {string} check how the sum was worked out
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

/**
 * @param {HTMLElement} root filled by `kinds/convolution/beneath.html`
 * @param {BeneathActions} actions @param {BeneathWords} words
 */
export function mountBeneath(root, actions, words) {
  const windowSize = findElement(root, "[data-window-size]");
  const body = findElement(root, "[data-beneath-body]");
  const waiting = findElement(root, "[data-beneath-waiting]");
  const shows = findElement(root, "[data-shows]");
  const orders = findElement(root, "[data-orders]");
  const sheet = mountSheet(findElement(root, "[data-sheet]"), actions, words);
  const shares = mountShares(findElement(root, "[data-shares]"), actions, words);
  const map = mountMap(findElement(root, "[data-one-map]"), actions, words);

  listenToChoices(shows, (value) =>
    actions.lookBeneath({ shown: /** @type {BeneathLook["shown"]} */ (value) }),
  );
  listenToChoices(orders, (value) =>
    actions.lookBeneath({ order: value === "number" ? value : "share" }),
  );

  return {
    /**
     * @param {Beneath | null} beneath null while its kernels are on their way: the last
     *   picture stays, dimmed
     * @param {BeneathChosen} chosen
     */
    show(beneath, chosen) {
      pressChoice(shows, chosen.look.shown);
      pressChoice(orders, chosen.look.order);
      body.classList.toggle("is-old", beneath === null);
      waiting.hidden = beneath !== null;
      if (beneath === null) return;
      body.hidden = false;
      setText(windowSize, sizeWords(beneath.window));
      sheet.show(beneath, chosen.map, chosen.look);
      shares.show(beneath, chosen.map, chosen.name, chosen.traced);
      map.show(beneath, chosen.map);
    },
  };
}

/**
 * The window on every map below, the slices of the kernel that read it, or the products of
 * both: one tile for each map.
 * @param {HTMLElement} root @param {BeneathActions} actions @param {BeneathWords} words
 */
function mountSheet(root, actions, { unit: activation, isSigned = false }) {
  const units = { window: activation, weights: "kernel weight", products: "product" };
  const readout = findElement(root, "[data-readout]");
  const legend = findElement(root, "[data-legend]");
  /** @type {{ beneath: Beneath, map: number, look: BeneathLook } | null} */
  let shown = null;

  const sheet = tileSheet(findElement(root, ".overlaid"), {
    across: ({ count }, isNarrow) =>
      Math.min(acrossSquare(count), isNarrow ? ACROSS_WHEN_NARROW : count),
    choose: actions.chooseMap,
    hover(at) {
      tell(at);
      actions.lookAt(at && shown && fieldOfCell(shown.beneath, at));
    },
  });

  const sort = memoize(
    (/** @type {Beneath} */ { parts }, /** @type {BeneathLook["order"]} */ by) => {
      const size = parts.shares.map(Math.abs);
      return by === "share" ? ranked(size) : Array.from(size, (_, map) => map);
    },
  );
  const tilesOf = memoize(
    (
      /** @type {Beneath} */ { parts, window: { size: rows, columns = rows } },
      /** @type {BeneathLook["shown"]} */ kind,
    ) => {
      const values = parts[PARTS[kind]];
      const most = reach(values) || 1;
      const isAbove = kind === "window" && !isSigned;
      const scale = isAbove ? sequential(0, most) : diverging(most);
      const count = parts.shares.length;
      return { values, count, rows, columns, gap: 1, scaleOf: () => scale };
    },
  );

  /** @param {At | null} at */
  function tell(at) {
    if (shown === null) return;
    const { beneath, look } = shown;
    const map = at?.tile ?? shown.map;
    const words = [`map ${map} adds ${signed(beneath.parts.shares[map])}`];
    if (at !== null) {
      const { size: rows, columns = rows } = beneath.window;
      const i = (map * rows + at.row) * columns + at.column;
      const value = beneath.parts[PARTS[look.shown]][i];
      words.push(`row ${at.row}, column ${at.column} of its window: ${fixed(value)}`);
    }
    readout.textContent = words.join("; ");
  }

  const show = memoize(
    (
      /** @type {Beneath} */ beneath,
      /** @type {number} */ map,
      /** @type {BeneathLook} */ look,
    ) => {
      shown = { beneath, map, look };
      const tiles = tilesOf(beneath, look.shown);
      sheet.show(tiles, sort(beneath, look.order), map);
      const unit = units[look.shown];
      showLegend(legend, tiles.scaleOf(), { unit, decimals: 3 });
      tell(sheet.pointed());
    },
  );
  return { show };
}

/**
 * The output as a sum: the maps that add most, the rest, the bias.
 * @param {HTMLElement} root @param {BeneathActions} actions @param {BeneathWords} words
 */
function mountShares(
  root,
  actions,
  { check: how, isRectified, precision, named = NAMED },
) {
  const axis = findElement(root, "[data-share-axis]");
  const body = findElement(root, "[data-share-rows]");
  const check = findElement(root, "[data-share-check]");

  const fill = memoize(
    (
      /** @type {Beneath} */ { parts },
      /** @type {string} */ name,
      /** @type {number} */ traced,
    ) => {
      const names = {
        term: (/** @type {number} */ map) =>
          termButton(`map ${map}`, map, actions.chooseMap),
        rest: (/** @type {number} */ count) => `the other ${count} maps`,
        total: name,
      };
      fillSumRows(axis, body, [parts], names, named);
      check.textContent = checkText({ ...parts, isRectified }, traced, how, precision);
    },
  );
  return {
    /**
     * @param {Beneath} beneath
     * @param {number} chosen the map in focus
     * @param {string} name of the output
     * @param {number} traced its value, as the trace says
     */
    show(beneath, chosen, name, traced) {
      fill(beneath, name, traced);
      pressChoice(body, String(chosen)); // rows stay, and so does the focus
    },
  };
}

/**
 * The chosen map below, the window framed, and window × kernel, cell by cell.
 * @param {HTMLElement} root @param {BeneathActions} actions @param {BeneathWords} words
 */
function mountMap(root, actions, { unit, reader, isSigned = false }) {
  const picture = framedPicture(findElement(root, "[data-map-picture]"));
  const grids = productGrids(root, point);
  const write = writer(root);
  const legend = findElement(root, "[data-map-legend]");
  const openButton = find(root, "[data-open-map]", HTMLButtonElement);
  /** @type {Beneath | null} */
  let beneath = null;
  /** @type {Place | null} */
  let last = null;

  /** @param {Place | null} cell of the window */
  function point(cell) {
    grids.point(cell);
    if (beneath === null) return;
    picture.point(cell && pixelUnder(beneath, cell));
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
    const { size: rows, columns = rows } = beneath.window;
    const middleOf = (/** @type {number} */ count) => Math.floor((count - 1) / 2);
    const cell = last ?? { row: middleOf(rows), column: middleOf(columns) };
    const [, down, across] = beneath.maps.shape;
    const { row, column } = pixelOfCell(beneath, cell);
    actions.openPixel({
      row: clamp(row, 0, down - 1),
      column: clamp(column, 0, across - 1),
    });
  });

  const showMap = memoize(
    (/** @type {Beneath} */ { maps, window, parts }, /** @type {number} */ chosen) => {
      const { size, columns = size } = window;
      const values = mapOf(maps, chosen);
      const most = reach(values) || 1;
      const scale = isSigned ? diverging(most) : sequential(0, most);
      picture.show(values, maps.shape[2], scale);
      picture.frame(window);
      showLegend(legend, scale, { unit, decimals: 3 });
      const cells = size * columns;
      const [from, to] = [chosen * cells, (chosen + 1) * cells];
      grids.show({
        patch: parts.windows.subarray(from, to),
        weights: parts.weights.subarray(from, to),
        products: parts.products.subarray(from, to),
        columns,
        scale,
        unit: "activation",
      });
      write("map-title", `Map ${chosen}: window × ${reader}`);
      write(
        "where",
        `${spanWords(window)} of the map${paddingWords(window, { rows: maps.shape[1], columns: maps.shape[2] })}`,
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
