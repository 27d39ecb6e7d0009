/**
 * The chosen map of a pooling layer: window by window what is below with its winners, what
 * goes on and what does not; one window number by number; and where on the input it looks.
 * @import { Field, Pixels } from "../../types.js"
 * @import { Place, PooledMap } from "./windows.js"
 * @import { PoolHooks } from "./view.js"
 */
import { sizeWords } from "../../geometry/windows.js";
import { reach } from "../../lib/arithmetic.js";
import { sequential } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { findElement, setText } from "../../ui/dom.js";
import { pickFromGrid } from "../../ui/grid-picker.js";
import { mapPicture } from "../../ui/maps.js";
import { numberGrid } from "../../ui/number-grid.js";
import { framedPicture, showInkLegend, showLegend } from "../../ui/pictures.js";
import { DEAD } from "../convolution/maps.js";
import {
  CORNERS,
  cornerOf,
  fourOf,
  lossOf,
  POOL,
  pixelIn,
  thrownAway,
  tiesIn,
  windowAround,
  windowAt,
} from "./windows.js";
import { lossWords, maximumWords, tieWords, windowWords } from "./words.js";

const DOT = 0.2; // radius of a winner's mark, in pixels of the map

/** @param {HTMLElement} root @param {PoolHooks} hooks */
export function mountMap(root, hooks) {
  const { names, lookAtPixel, lookAtWindow, fieldOf } = hooks;
  const title = findElement(root, "[data-map-title]");
  const readout = findElement(root, "[data-map-readout]");
  const loss = findElement(root, "[data-map-loss]");
  const seen = findElement(root, "[data-seen]");
  const input = framedPicture(findElement(root, "[data-input]"));
  const pictures = mountTriple(root, {
    ...hooks,
    hover(window, pixel) {
      if (pixel === null) lookAtWindow(window);
      else lookAtPixel(pixel);
      tell(window, pixel);
    },
  });
  const legend = findElement(root, "[data-input-legend]");
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
      const lost = lossWords(lossOf(map), `Map ${number}`);
      loss.textContent = `${lost} ${tieWords(tiesIn(map).ties)}`;
    },
  );
  const showInput = memoize((/** @type {Pixels} */ pixels) => {
    input.showInput(pixels);
    showInkLegend(legend, pixels);
  });

  return {
    /**
     * @param {Pixels} image @param {PooledMap} map
     * @param {number} number of the map
     * @param {Place} pixel @param {Place} window
     */
    show(image, map, number, pixel, window) {
      shown = { map, window };
      setText(title, `Map ${number} of ${names.below}, and what goes on`);
      pictures.show(map, pixel, window);
      tellLoss(map, number);
      showInput(image);
      const field = fieldOf(window);
      input.frame(field);
      setText(seen, `${sizeWords(field)} pixels that the window sees`);
      tell(null, null);
    },

    /** @param {Field | null} field */
    lookAt: (field) => input.point(field),
  };
}

/** @param {PooledMap} map @param {Place} window */
function windowText({ pooled, winners, across }, { row, column }) {
  const i = row * across + column;
  const words = `window at row ${row}, column ${column}: ${fixed(pooled[i])} goes on`;
  return pooled[i] > 0 ? `${words} from its ${CORNERS[winners[i]]} pixel` : words;
}

/** @param {PooledMap} map @param {Place} pixel of the map below */
function pixelText({ below, side }, { row, column }) {
  return `pixel at row ${row}, column ${column}: ${fixed(below[row * side + column])}`;
}

/**
 * What is below, what goes on and what does not; the three point together.
 * @param {HTMLElement} root @param {object} hooks
 * @param {(pixel: Place) => void} hooks.choosePixel of the map below
 * @param {(window: Place) => void} hooks.chooseWindow
 * @param {(window: Place | null, pixel: Place | null) => void} hooks.hover pixel: where the
 *   pointer is on one
 */
function mountTriple(root, { choosePixel, chooseWindow, hover }) {
  let pixel = { row: 0, column: 0 };
  let window = { row: 0, column: 0 };
  /** @type {{ map: PooledMap, rest: Float32Array } | null} */
  let shown = null;

  /** @param {Place} at @param {ArrayLike<number>} [values] @param {number} [side] */
  const valueAt = ({ row, column }, values = [], side = 0) =>
    fixed(values[row * side + column] ?? 0);

  const pixels = {
    block: POOL,
    chosen: () => pixel,
    choose: choosePixel,
    hover: (/** @type {Place | null} */ at) => point(at && windowAround(at), at, at),
  };
  const below = mapPicture(findElement(root, "[data-below]"), {
    ...pixels,
    note: (at) => valueAt(at, shown?.map.below, shown?.map.side),
  });
  const lost = mapPicture(findElement(root, "[data-lost]"), {
    ...pixels,
    note: (at) => valueAt(at, shown?.rest, shown?.map.side),
  });
  const pooled = mapPicture(findElement(root, "[data-pooled]"), {
    chosen: () => window,
    choose: chooseWindow,
    hover: (at) => point(at, at && cornerOf(at), null),
    note: (at) => valueAt(at, shown?.map.pooled, shown?.map.across),
  });

  /**
   * @param {Place | null} at a window
   * @param {Place | null} first a pixel in it, to frame it on the maps below
   * @param {Place | null} pointed the pixel under the pointer, if it is on one
   */
  function point(at, first, pointed) {
    const { across = 1, pooled: windows = [] } = shown?.map ?? {};
    // An odd last row or column is in no window.
    const isInside =
      at !== null && at.column < across && at.row < windows.length / across;
    below.point(first);
    lost.point(first);
    pooled.point(isInside ? at : null);
    hover(isInside ? at : null, pointed);
  }

  const paint = memoize((/** @type {PooledMap} */ map) => {
    const scale = sequential(0, reach(map.below) || 1);
    const rest = thrownAway(map);
    below.show(map.below, map.side, scale);
    markWinners(below, map);
    lost.show(rest, map.side, scale);
    lost.mark("lines", windowLines(map));
    pooled.show(map.pooled, map.across, scale);
    const unit = reach(map.below) === 0 ? DEAD : "activation, own scale";
    for (const part of ["below", "lost", "pooled"])
      showLegend(findElement(root, `[data-${part}-legend]`), scale, { unit });
    shown = { map, rest };
  });

  return {
    /** @param {PooledMap} map @param {Place} pixelNow @param {Place} windowNow */
    show(map, pixelNow, windowNow) {
      paint(map);
      pixel = pixelNow;
      window = windowNow;
      for (const each of [below, lost]) each.choose(cornerOf(window));
      pooled.choose(window);
    },
  };
}

/**
 * Lines between the windows of a map, a dot on each winner, and a ring where it shares its
 * value with others. Windows of four zeros have no winner, and so neither.
 * @param {ReturnType<typeof mapPicture>} picture @param {PooledMap} map
 */
export function markWinners(picture, map) {
  const { dots, rings } = winnerMarks(map);
  picture.mark("lines", windowLines(map));
  picture.mark("dots", dots);
  picture.mark("rings", rings);
}

/**
 * @param {Pick<PooledMap, "pooled" | "across">} map
 * @returns {string} for an SVG path in the map's pixels
 */
function windowLines({ pooled, across }) {
  const [width, height] = [POOL * across, (POOL * pooled.length) / across];
  const every = (/** @type {number} */ end) =>
    Array.from({ length: end / POOL + 1 }, (_, i) => POOL * i);
  return [
    ...every(width).map((at) => `M${at} 0V${height}`),
    ...every(height).map((at) => `M0 ${at}H${width}`),
  ].join("");
}

/**
 * @param {PooledMap} map
 * @returns {{ dots: string, rings: string }} for SVG paths in the map's pixels
 */
export function winnerMarks(map) {
  const { isTied } = tiesIn(map);
  const marks = { dots: "", rings: "" };
  map.pooled.forEach((value, i) => {
    if (value === 0) return;
    const place = pixelIn(windowAt(i, map.across), map.winners[i]);
    marks[isTied[i] ? "rings" : "dots"] += circle(place);
  });
  return marks;
}

/** @param {Place} pixel */
function circle({ row, column }) {
  const half = (/** @type {number} */ by) => `a${DOT} ${DOT} 0 1 0 ${by} 0`;
  return `M${column + 0.5 - DOT} ${row + 0.5}${half(2 * DOT)}${half(-2 * DOT)}z`;
}

/**
 * The chosen window: its four numbers, the largest of them, and the rest.
 * @param {HTMLElement} root @param {PoolHooks} hooks
 */
export function mountWindow(root, { choosePixel, lookAtPixel }) {
  const title = findElement(root, "[data-window-title]");
  const maximum = findElement(root, "[data-maximum]");
  const words = findElement(root, "[data-window-words]");
  const grid = numberGrid(findElement(root, ".number-grid"));
  let window = { row: 0, column: 0 };
  let pixel = { row: 0, column: 0 };

  pickFromGrid(grid.canvas, {
    layout: grid.layout,
    step: "cell",
    chosen: () => ({ place: 0, row: pixel.row % POOL, column: pixel.column % POOL }),
    choose: ({ row, column }) => choosePixel(pixelIn(window, POOL * row + column)),
    hover(cell) {
      grid.point(cell);
      lookAtPixel(cell && pixelIn(window, POOL * cell.row + cell.column));
    },
  });
  const scaleOf = memoize((/** @type {Float32Array} */ below) =>
    sequential(0, reach(below) || 1),
  );

  return {
    /** @param {PooledMap} map @param {Place} pixelNow @param {Place} windowNow */
    show(map, pixelNow, windowNow) {
      window = windowNow;
      pixel = pixelNow;
      const { row, column } = window;
      const four = fourOf(map, window);
      const winner = map.winners[row * map.across + column];
      grid.show(four, {
        rows: POOL,
        columns: POOL,
        scale: scaleOf(map.below),
        format: fixed,
      });
      grid.choose({ row: Math.floor(winner / POOL), column: winner % POOL });
      root.classList.toggle("has-no-winner", Math.max(...four) === 0);
      setText(title, `The window at row ${row}, column ${column}`);
      setText(maximum, maximumWords(four, winner));
      setText(words, windowWords(four, winner));
    },
  };
}
