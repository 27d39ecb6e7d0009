/**
 * Max-pooling: of the four pixels of each 2×2 window the largest goes on, the others do
 * not.
 * @import { Pooled } from "../../types.js"
 * @import { Layer } from "../types.js"
 */
import { sum } from "../../lib/arithmetic.js";
import { mapOf } from "../convolution/maps.js";

/** Rows, and columns, of a window, and its stride; `POOL` of the Python side. */
export const POOL = 2;

/** What the four pixels of a window are called, in the order of the trace's winners. */
export const CORNERS = ["upper left", "upper right", "lower left", "lower right"];

/** Whether no layer of its kind stands below it. @param {Layer} layer */
export const isFirst = (layer) =>
  layer.network.find(({ kind }) => kind.name === "pooling")?.id === layer.id;

/** @typedef {{ row: number, column: number }} Place */

/**
 * One map of a layer that pools.
 * @typedef {object} PooledMap
 * @property {Float32Array} below row by row
 * @property {number} side pixels in a row
 * @property {Float32Array} pooled row by row
 * @property {Float32Array} winners of each window
 * @property {number} across windows in a row
 */

/** @param {Pooled} layer @param {number} map @returns {PooledMap} */
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
export function pixelIn(window, corner) {
  const { row, column } = cornerOf(window);
  return { row: row + Math.floor(corner / POOL), column: column + (corner % POOL) };
}

/**
 * The four values of a window, row by row.
 * @param {Pick<PooledMap, "below" | "side">} map @param {Place} window
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
 * @returns {{ isTied: boolean[], ties: number }} isTied: for each window whether several
 *   pixels share its largest value, above 0
 */
export function tiesIn(map) {
  const isTied = Array.from(
    map.pooled,
    (_, i) => countLargest(fourOf(map, windowAt(i, map.across))) > 1,
  );
  return { isTied, ties: isTied.filter(Boolean).length };
}

/**
 * @param {number} i of the windows, row by row
 * @param {number} across windows in a row
 * @returns {Place}
 */
function windowAt(i, across) {
  return { row: Math.floor(i / across), column: i % across };
}

/**
 * A map with its winners taken out: what does not go on.
 * @param {PooledMap} map
 * @returns {Float32Array} row by row
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
 * @property {number} windows of the map
 * @property {number} empty windows of four zeros, which have no winner
 * @property {number} lostActive pixels above zero that do not go on
 */

/** @param {PooledMap} map @returns {Loss} */
export function lossOf(map) {
  const rest = thrownAway(map);
  return lossFrom({
    total: sum(map.below),
    lost: sum(rest),
    windows: map.pooled.length,
    empty: map.pooled.filter((value) => value === 0).length,
    lostActive: rest.reduce((count, value) => count + Number(value > 0), 0),
  });
}

/** The same of all maps together. @param {readonly Loss[]} losses @returns {Loss} */
export function lossOfAll(losses) {
  const summed = { total: 0, lost: 0, windows: 0, empty: 0, lostActive: 0 };
  for (const loss of losses)
    for (const key of /** @type {(keyof typeof summed)[]} */ (Object.keys(summed)))
      summed[key] += loss[key];
  return lossFrom(summed);
}

/** @param {Omit<Loss, "share">} counted */
const lossFrom = (counted) => ({
  ...counted,
  share: counted.total > 0 ? counted.lost / counted.total : 0,
});

/** The first pixel of a window. @param {Place} window @returns {Place} */
export function cornerOf({ row, column }) {
  return { row: POOL * row, column: POOL * column };
}

/**
 * The window around a pixel; an odd last row or column has one that is not there.
 * @param {Place} pixel
 * @returns {Place}
 */
export function windowAround({ row, column }) {
  return { row: Math.floor(row / POOL), column: Math.floor(column / POOL) };
}

/**
 * The pooling window that holds a pixel; the last one for a pixel that is in none.
 * @param {Place} pixel @param {PooledMap} map
 * @returns {Place} of the pooled map
 */
export function windowOf(pixel, { pooled, across }) {
  const { row, column } = windowAround(pixel);
  const down = pooled.length / across;
  return { row: Math.min(row, down - 1), column: Math.min(column, across - 1) };
}

/** Radius of a winner's mark, in pixels of the map. */
const DOT = 0.2;

/**
 * Lines between the windows of a map.
 * @param {Pick<PooledMap, "pooled" | "across">} map
 * @returns {string} for an SVG path in the map's pixels
 */
export function windowLines({ pooled, across }) {
  const [width, height] = [POOL * across, (POOL * pooled.length) / across];
  const every = (/** @type {number} */ end) =>
    Array.from({ length: end / POOL + 1 }, (_, i) => POOL * i);
  return [
    ...every(width).map((at) => `M${at} 0V${height}`),
    ...every(height).map((at) => `M0 ${at}H${width}`),
  ].join("");
}

/**
 * A dot on each winner, and a ring where it shares its value with others. Windows of four
 * zeros have no winner, and so neither.
 * @param {PooledMap} map
 * @returns {{ dots: string, rings: string }} for SVG paths in the map's pixels
 */
export function winnerMarks(map) {
  const { isTied } = tiesIn(map);
  const marks = { dots: "", rings: "" };
  map.pooled.forEach((value, i) => {
    if (value === 0) return;
    const pixel = pixelIn(windowAt(i, map.across), map.winners[i]);
    marks[isTied[i] ? "rings" : "dots"] += circle(pixel);
  });
  return marks;
}

/** @param {Place} pixel */
function circle({ row, column }) {
  const half = (/** @type {number} */ by) => `a${DOT} ${DOT} 0 1 0 ${by} 0`;
  return `M${column + 0.5 - DOT} ${row + 0.5}${half(2 * DOT)}${half(-2 * DOT)}z`;
}
