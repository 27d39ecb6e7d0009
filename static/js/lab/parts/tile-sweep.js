/**
 * The digit in 1 to 4 shuffled tiles in a row, for its curve.
 * Pure arithmetic: no DOM, no state.
 * @import { Pixels } from "../../types.js"
 */
import { largestOf, sum } from "../../lib/arithmetic.js";

import { inkOf, sideOf } from "../../lib/pixels.js";
import { assembled } from "./arrangement.js";
import { cutTiles } from "./cut.js";
import { shuffled } from "./shuffle.js";

/** Tiles in a row; 1 is the whole digit. */
export const TILES = [1, 2, 3, 4];

/** Shuffles for each number of tiles in a row, but for the whole digit. */
export const SHUFFLES = 8;

/**
 * @param {Pixels} pixels
 * @returns {Float64Array[]} the whole digit, then `SHUFFLES` of each number of tiles
 */
export function tileSweep(pixels) {
  const ink = inkOf(pixels);
  return TILES.flatMap((across) => {
    if (across === 1) return [ink];
    const cut = cutTiles(sideOf(pixels), across);
    return Array.from(
      { length: SHUFFLES },
      (_, seed) => assembled(ink, cut, shuffled(cut, seed)).ink,
    );
  });
}

/**
 * The mean of the highest score for each number of tiles in a row.
 * @param {{ shape: readonly number[], data: ArrayLike<number> }} scores (images, classes)
 *   of the images of `tileSweep`
 * @returns {number[]}
 */
export function winnersOver({ shape, data }) {
  const classes = shape[1];
  const winners = Array.from({ length: shape[0] }, (_, i) => {
    const own = Array.from(data).slice(i * classes, (i + 1) * classes);
    return own[largestOf(own)];
  });
  return TILES.map((across, i) => {
    if (across === 1) return winners[0];
    const some = winners.slice(1 + (i - 1) * SHUFFLES, 1 + i * SHUFFLES);
    return sum(some) / SHUFFLES;
  });
}
