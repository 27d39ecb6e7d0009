/**
 * The ways to cut a digit, and where a link says that its pieces are.
 * @import { Pixels } from "../../types.js"
 * @import { Move } from "./arrangement.js"
 * @import { Cut } from "./cut.js"
 */
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { inkOf, sideOf } from "../../lib/pixels.js";
import { STAY } from "./arrangement.js";
import { decodeMoves } from "./code.js";
import { cutTiles } from "./cut.js";
import { cutStrokes } from "./strokes.js";

/** Into so many tiles in a row, or into pieces of strokes. */
export const CUTS = /** @type {const} */ (["2", "3", "4", "strokes"]);

/** @typedef {typeof CUTS[number]} CutName */

/** Every cut of an image is made once, so that its pieces stay the same while they move. */
const cutsOf = memoizeByObject(
  (/** @type {Pixels} */ pixels) => pixels,
  (pixels) => {
    const side = sideOf(pixels);
    return {
      ...{ 2: memoize(() => cutTiles(side, 2)), 3: memoize(() => cutTiles(side, 3)) },
      4: memoize(() => cutTiles(side, 4)),
      strokes: memoize(() => cutStrokes(inkOf(pixels), side)),
    };
  },
);

/**
 * @param {Pixels} pixels
 * @param {CutName} name
 * @returns {Cut} always the same one
 */
export function cutOf(pixels, name) {
  return cutsOf(pixels)[name]();
}

/**
 * Where each piece is. What a text says wrongly, and pieces that it does not mention, stay.
 * @param {Cut} cut
 * @param {string} text
 * @returns {Move[]}
 */
export function movesIn(cut, text) {
  const said = decodeMoves(text, cut.side) ?? [];
  return cut.pieces.map((_, piece) => said[piece] ?? STAY);
}
