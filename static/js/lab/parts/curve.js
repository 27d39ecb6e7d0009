/**
 * The image in 1 to 4 shuffled tiles in a row, for the plot. Pure arithmetic: no DOM,
 * no state.
 * @import { Model, Pixels } from "../../types.js"
 * @import { Behind } from "../shared/courses.js"
 * @import { Candidate } from "../shared/verdicts.js"
 * @import { Move } from "./arrangement.js"
 * @import { Cut } from "./cut.js"
 */

import { largestOf, rowsOf, sum } from "../../lib/arithmetic.js";
import { presence } from "../../lib/decimals.js";
import { inkOf } from "../../lib/pixels.js";
import { measurementOf } from "../shared/words.js";
import { assemble, isSameMoves, isStill } from "./arrangement.js";
import { cutTiles } from "./cut.js";
import { shuffle } from "./presets.js";

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
      (_, seed) => assemble(ink, cut, shuffle(cut, seed)).ink,
    );
  });
}

/** Of the shuffles, the one that the plot itself makes. */
const FIRST = 0;

/**
 * The arrangement that a place on the plot leads to.
 * @param {Cut} cut into tiles @returns {Move[]}
 */
export const shuffleOf = (cut) => shuffle(cut, FIRST);

/**
 * Where on the plot an arrangement stands.
 * @param {Cut} cut @param {readonly Move[]} moves
 * @returns {number | null} tiles in a row, of the whole image and of the shuffle that the plot
 *   makes; null: of what one has arranged oneself, the plot shows nothing
 */
export function placeOnPlot(cut, moves) {
  if (moves.every(isStill)) return TILES[0];
  const across = Math.sqrt(cut.pieces.length);
  const isOnPlot = TILES.includes(across) && isSameMoves(moves, shuffleOf(cut));
  return isOnPlot ? across : null;
}

/**
 * The mean of the highest score for each number of tiles in a row.
 * @param {{ shape: readonly number[], data: Float32Array | Float64Array }} scores (images, classes)
 *   of the images of `tileSweep`
 * @returns {number[]}
 */
export function winnersOver(scores) {
  const winners = rowsOf(scores).map((row) => row[largestOf(row)]);
  return TILES.map((across, i) => {
    if (across === 1) return winners[0];
    const some = winners.slice(1 + (i - 1) * SHUFFLES, 1 + i * SHUFFLES);
    return sum(some) / SHUFFLES;
  });
}

const MEASURED = "tiles";

const AXIS = {
  title: "Shuffled tiles in a row",
  low: TILES[0],
  high: TILES[TILES.length - 1],
  step: 1,
  ticks: TILES,
};

/** @type {Behind} */
const BEHIND = {
  title: (images) => `mean of ${images} test images`,
  of: ({ winner_score }) => winner_score,
  words: (score) => presence(score),
};

/**
 * The highest score over the number of tiles in a row: of this image, and the mean of the
 * test set.
 * @param {readonly Candidate[]} all
 * @param {(model: Model) => readonly number[] | null} winnersOf this image's; null while they
 *   are on their way
 */
export function tileCourses(all, winnersOf) {
  return {
    axis: AXIS,
    behind: BEHIND,
    score: `highest score, mean of ${SHUFFLES} shuffles`,
    unmeasured: "No test images were shuffled for these networks.",
    networks: all.flatMap(({ model, name, color, isOn }) => {
      const test = measurementOf(model, MEASURED);
      const course = { kind: model.scores, knobs: TILES, scores: winnersOf(model) };
      return isOn ? [{ name, color, test, isRight: [], ...course }] : [];
    }),
  };
}
