/**
 * Marks over a map that is pooled: lines between its windows, and marks on winners.
 * @import { PooledMap } from "./windows.js"
 */
import { POOL } from "../places.js";
import { pixelIn, tiesIn, windowAt } from "./windows.js";

const DOT = 0.2; // radius, in pixels of the map

/**
 * @param {Pick<PooledMap, "across">} map
 * @returns {string} for an SVG path in the map's pixels
 */
export function windowLines({ across }) {
  const side = POOL * across;
  return Array.from({ length: across + 1 }, (_, i) => POOL * i)
    .map((at) => `M${at} 0V${side}M0 ${at}H${side}`)
    .join("");
}

/**
 * A dot on each winner, a ring where it shares its value with others. Windows of four zeros
 * have no winner, and so neither.
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

/** @param {{ row: number, column: number }} pixel */
function circle({ row, column }) {
  const half = (/** @type {number} */ by) => `a${DOT} ${DOT} 0 1 0 ${by} 0`;
  return `M${column + 0.5 - DOT} ${row + 0.5}${half(2 * DOT)}${half(-2 * DOT)}z`;
}
