/**
 * A map window by window: what is below with its winners, what goes on, and what does not.
 * The three point together.
 * @import { Place, PooledMap } from "./windows.js"
 */

import { reach } from "../../../lib/arithmetic.js";
import { sequential } from "../../../lib/color.js";
import { fixed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { findElement } from "../../../ui/dom.js";
import { mapPicture } from "../../../ui/maps.js";
import { showLegend } from "../../../ui/pictures.js";
import { POOL } from "../places.js";
import { windowLines, winnerMarks } from "./marks.js";
import { thrownAway } from "./windows.js";

/**
 * @param {HTMLElement} root
 * @param {object} hooks
 * @param {(pixel: Place) => void} hooks.choosePixel of the map below
 * @param {(window: Place) => void} hooks.chooseWindow
 * @param {(window: Place | null, pixel: Place | null) => void} hooks.hover pixel: where the
 *   pointer is on one
 */
export function mountPictures(root, { choosePixel, chooseWindow, hover }) {
  let pixel = { row: 0, column: 0 };
  let window = { row: 0, column: 0 };
  /** @type {{ map: PooledMap, rest: Float32Array } | null} */
  let shown = null;

  /** @param {Place} at @param {ArrayLike<number>} [values] @param {number} [side] */
  const valueAt = ({ row, column }, values = [], side = 0) =>
    fixed(values[row * side + column] ?? 0);

  const pixels = { block: POOL, chosen: () => pixel, choose: choosePixel };
  const below = mapPicture(findElement(root, "[data-below]"), {
    ...pixels,
    hover: pointPixel,
    note: (at) => valueAt(at, shown?.map.below, shown?.map.side),
  });
  const lost = mapPicture(findElement(root, "[data-lost]"), {
    ...pixels,
    hover: pointPixel,
    note: (at) => valueAt(at, shown?.rest, shown?.map.side),
  });
  const pooled = mapPicture(findElement(root, "[data-pooled]"), {
    chosen: () => window,
    choose: chooseWindow,
    hover: (at) => point(at, at && cornerOf(at), null),
    note: (at) => valueAt(at, shown?.map.pooled, shown?.map.across),
  });

  /** @param {Place | null} at a pixel */
  function pointPixel(at) {
    point(at && windowAround(at), at, at);
  }

  /**
   * @param {Place | null} at a window
   * @param {Place | null} first a pixel in it, to frame it on the maps below
   * @param {Place | null} pointed the pixel under the pointer, if it is on one
   */
  function point(at, first, pointed) {
    const across = shown?.map.across ?? 0;
    // An odd last row or column is in no window.
    const inside = at && Math.max(at.row, at.column) < across ? at : null;
    below.point(first);
    lost.point(first);
    pooled.point(inside);
    hover(inside, pointed);
  }

  const paint = memoize((/** @type {PooledMap} */ map) => {
    const scale = sequential(0, reach(map.below) || 1);
    const rest = thrownAway(map);
    const lines = windowLines(map);
    const { dots, rings } = winnerMarks(map);
    below.show(map.below, map.side, scale);
    below.mark("dots", dots);
    below.mark("rings", rings);
    lost.show(rest, map.side, scale);
    for (const each of [below, lost]) each.mark("lines", lines);
    pooled.show(map.pooled, map.across, scale);
    for (const part of ["below", "lost", "pooled"])
      showLegend(findElement(root, `[data-${part}-legend]`), scale, {
        unit: "activation",
      });
    return { map, rest };
  });

  return {
    /** @param {PooledMap} map @param {Place} pixelNow @param {Place} windowNow */
    show(map, pixelNow, windowNow) {
      shown = paint(map);
      pixel = pixelNow;
      window = windowNow;
      for (const each of [below, lost]) each.choose(cornerOf(window));
      pooled.choose(window);
    },
  };
}

/**
 * The first pixel of a window.
 * @param {Place} window
 * @returns {Place}
 */
export function cornerOf({ row, column }) {
  return { row: POOL * row, column: POOL * column };
}

/**
 * The window around a pixel; there is none in an odd last row or column.
 * @param {Place} pixel
 * @returns {Place}
 */
export function windowAround({ row, column }) {
  return { row: Math.floor(row / POOL), column: Math.floor(column / POOL) };
}
