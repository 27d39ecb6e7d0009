/**
 * The digit in 1 to 4 shuffled tiles in a row, for its curve. Pure arithmetic: no DOM,
 * no state.
 * @import { Model, Pixels } from "../../types.js"
 */

import { scoreWords } from "../../core/scores.js";
import { largestOf, sum } from "../../lib/arithmetic.js";
import { fixed, grouped } from "../../lib/format.js";
import { inkOf } from "../../lib/pixels.js";
import { h } from "../../ui/h.js";
import { curve } from "../shared/curve.js";
import { measurementOf } from "../shared/words.js";
import { assembled } from "./arrangement.js";
import { cutTiles } from "./cut.js";
import { shuffled } from "./presets.js";
import { measuredTiles } from "./words.js";

/** Tiles in a row; 1 is the whole digit. */
export const TILES = [1, 2, 3, 4];

/** Shuffles for each number of tiles in a row, but for the whole digit. */
export const SHUFFLES = 8;

/**
 * The digit in 1 to 4 shuffled tiles in a row.
 * @param {Pixels} pixels
 * @returns {Float64Array[]} the whole digit, then `SHUFFLES` of each number of tiles
 */
export function tileSweep(pixels) {
  const ink = inkOf(pixels);
  return TILES.flatMap((across) => {
    if (across === 1) return [ink];
    const cut = cutTiles(pixels, across);
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

const MEASURED = "tiles";

const AXIS = {
  ...{ title: "Shuffled tiles in a row", low: TILES[0], high: TILES[TILES.length - 1] },
  ...{ step: 1, decimals: 0, ticks: TILES },
};

/**
 * The highest score over the number of tiles in a row: of this digit, before the mean
 * of the test set; and how many test images are still as sure as whole ones.
 * @param {Model} model
 * @param {readonly number[] | null} winners this digit's; null while on their way
 * @param {number | null} at tiles in a row now; null: cut otherwise
 * @param {(across: number) => void} choose
 */
export function tileCurve(model, winners, at, choose) {
  const test = measurementOf(model, MEASURED);
  const { one } = scoreWords(model);
  const data = {
    ...{ axis: AXIS, knobs: TILES, shares: winners, test },
    score: `highest ${one}, ${SHUFFLES} shuffles`,
    unmeasured: "No test images were shuffled for this network.",
    ...(test && {
      band: {
        shares: test.winner_score,
        title: `highest ${one}, mean of ${grouped(test.images)} test images`,
        words: (/** @type {number} */ share) => fixed(share, 2),
      },
    }),
  };
  const told = test === null || at === null ? "" : measuredTiles(test, at);
  return curve({ ...data, more: told && h("p", { class: "fine" }, told) }, at, choose);
}
