/**
 * Max-pooling: of the four pixels of each 2×2 window the largest goes on, the others do
 * not.
 * @import { Tensor } from "../../../types.js"
 */

import { mapOf } from "../../../convolution/maps.js";
import { sum } from "../../../lib/arithmetic.js";
import { POOL } from "../places.js";

/** What the four pixels of a window are called, in the order of the trace's winners. */
export const CORNERS = ["upper left", "upper right", "lower left", "lower right"];

/** @typedef {{ row: number, column: number }} Place */

/**
 * A layer and its pooling as they read one image.
 * @typedef {object} Pooled
 * @property {Tensor} below (maps, side, side), what pooling reads; never below zero
 * @property {Tensor} pooled (maps, ⌊side / 2⌋, ⌊side / 2⌋)
 * @property {Tensor} winners same shape: which pixel won, 0 to 3, row by row
 */

/**
 * One map of the layer.
 * @typedef {object} PooledMap
 * @property {Float32Array} below (side, side)
 * @property {number} side
 * @property {Float32Array} pooled (across, across)
 * @property {Float32Array} winners (across, across)
 * @property {number} across windows in a row
 */

/**
 * @param {Pooled} layer
 * @param {number} map
 * @returns {PooledMap}
 */
export function pooledMap({ below, pooled, winners }, map) {
  return {
    below: mapOf(below, map),
    side: below.shape[2],
    pooled: mapOf(pooled, map),
    winners: mapOf(winners, map),
    across: pooled.shape[2],
  };
}

/**
 * The pixel of the map below that stands in a corner of a window.
 * @param {Place} window
 * @param {number} corner 0 to 3, row by row
 * @returns {Place}
 */
export function pixelIn({ row, column }, corner) {
  return {
    row: POOL * row + Math.floor(corner / POOL),
    column: POOL * column + (corner % POOL),
  };
}

/**
 * The four values of a window, row by row.
 * @param {Pick<PooledMap, "below" | "side">} map
 * @param {Place} window
 * @returns {number[]}
 */
export function fourOf({ below, side }, window) {
  return CORNERS.map((_, corner) => {
    const { row, column } = pixelIn(window, corner);
    return below[row * side + column];
  });
}

/**
 * How many of a window's pixels hold its largest value. Where that value is zero nothing
 * wins: the trace names the first pixel, as it does of equal ones.
 * @param {readonly number[]} four
 * @returns {number} 1 to 4; 0 where all are zero
 */
export function countLargest(four) {
  const largest = Math.max(...four);
  return largest === 0 ? 0 : four.filter((value) => value === largest).length;
}

/**
 * How many windows of a map nobody wins alone.
 * @param {PooledMap} map
 * @returns {{ isTied: boolean[], ties: number, empty: number }} isTied: for each window
 *   whether several pixels share its largest value, above 0; empty: windows of four zeros
 */
export function tiesIn(map) {
  const largest = Array.from(map.pooled, (_, i) =>
    countLargest(fourOf(map, windowAt(i, map.across))),
  );
  const isTied = largest.map((count) => count > 1);
  const count = (/** @type {boolean[]} */ each) => each.filter(Boolean).length;
  return { isTied, ties: count(isTied), empty: count(largest.map((of) => of === 0)) };
}

/**
 * @param {number} i of the windows, row by row
 * @param {number} across windows in a row
 * @returns {Place}
 */
export function windowAt(i, across) {
  return { row: Math.floor(i / across), column: i % across };
}

/**
 * A map with its winners taken out: what does not go on.
 * @param {PooledMap} map
 * @returns {Float32Array} (side, side)
 */
export function thrownAway({ below, side, winners, across }) {
  const rest = Float32Array.from(below);
  for (let i = 0; i < winners.length; i++) {
    const { row, column } = pixelIn(windowAt(i, across), winners[i]);
    rest[row * side + column] = 0;
  }
  return rest;
}

/**
 * What pooling keeps of a map and what it throws away.
 * @typedef {object} Loss
 * @property {number} total activation, summed over all pixels
 * @property {number} lost activation of the pixels that do not go on
 * @property {number} share lost / total; 0 where there is nothing to lose
 * @property {number} pixels of the map
 * @property {number} lostPixels that do not go on
 * @property {number} lostActive how many of these are above zero
 */

/**
 * @param {PooledMap} map
 * @returns {Loss}
 */
export function lossOf(map) {
  const rest = thrownAway(map);
  const total = sum(map.below);
  const lost = sum(rest);
  return {
    total,
    lost,
    share: total > 0 ? lost / total : 0,
    pixels: map.below.length,
    lostPixels: map.below.length - map.winners.length,
    lostActive: rest.reduce((count, value) => count + Number(value > 0), 0),
  };
}

/**
 * The same of all maps together.
 * @param {readonly Loss[]} losses
 * @returns {Loss}
 */
export function lossOfAll(losses) {
  const sum = (
    /** @type {"total" | "lost" | "pixels" | "lostPixels" | "lostActive"} */ key,
  ) => losses.reduce((all, loss) => all + loss[key], 0);
  const [total, lost] = [sum("total"), sum("lost")];
  return {
    total,
    lost,
    share: total > 0 ? lost / total : 0,
    pixels: sum("pixels"),
    lostPixels: sum("lostPixels"),
    lostActive: sum("lostActive"),
  };
}
