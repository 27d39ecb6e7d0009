/**
 * What the numbers of a pose matrix are named after: what each follows when the image is
 * shifted or turned, as measured.
 * @import { DecoderModel, Move } from "./types.js"
 */
import { largestOf } from "../../lib/arithmetic.js";
import { fixed, signed } from "../../lib/format.js";

/** @type {readonly Move[]} */
const ORDER = ["x", "y", "turn"];

/**
 * How each move is called, and for how much of it a slope is given.
 * @type {Record<Move, { short: string, per: string, by: number }>}
 */
const MOVES = {
  x: { short: "shift right", per: "pixel", by: 1 },
  y: { short: "shift down", per: "pixel", by: 1 },
  turn: { short: "turn clockwise", per: "10°", by: 10 },
};

/**
 * How a number follows one move.
 * @typedef {object} Follows
 * @property {Move} move
 * @property {number} correlation in -1..1
 * @property {number} slope change of the number for each pixel or degree
 */

/**
 * @param {Pick<DecoderModel, "card">} model @param {number} classIndex
 * @param {number} entry 0..15
 * @returns {Follows[] | null} for each move; null where it was not measured
 */
export function followsOf({ card }, classIndex, entry) {
  const following = card.following?.classes[classIndex];
  if (!following) return null;
  return ORDER.map((move) => ({
    move,
    correlation: following[move].correlation[entry],
    slope: following[move].slope[entry],
  }));
}

/** Such as "shift right, r = 0.98", broken before r only. @param {readonly Follows[]} follows */
export function followsInShort(follows) {
  const { move, correlation } = strongestOf(follows);
  return `${MOVES[move].short}, r\u00a0=\u00a0${fixed(correlation, 2)}`;
}

/** All that was measured of a number. @param {readonly Follows[]} follows */
export function followsInFull(follows) {
  return follows
    .map(({ move, correlation, slope }) => {
      const { short, per, by } = MOVES[move];
      return `${short}: r = ${fixed(correlation, 2)}, ${signed(slope * by)} per ${per}`;
    })
    .join("\n");
}

/** @param {readonly Follows[]} follows */
function strongestOf(follows) {
  return follows[largestOf(follows.map(({ correlation }) => Math.abs(correlation)))];
}
