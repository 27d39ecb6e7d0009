/**
 * The image with its digit, or a piece of it, moved.
 * @import { Pixels } from "../../types.js"
 * @import { Assembled, Move } from "../parts/arrangement.js"
 * @import { Cut } from "../parts/cut.js"
 * @import { PoolingSlice } from "./experiment.js"
 */
import { clamp } from "../../lib/arithmetic.js";
import { memoizeByObject } from "../../lib/memoize.js";
import { inkOf, sideOf, toBytes } from "../../lib/pixels.js";
import { assembled, STAY } from "../parts/arrangement.js";
import { cutBy, NONE } from "../parts/cut.js";
import { cutOf } from "../parts/cuts.js";
import { MOST } from "./experiment.js";

/**
 * @typedef {object} MovedImage
 * @property {Cut} cut one piece where the whole digit is moved
 * @property {number} piece that is moved: the chosen one, or the first if there is none
 * @property {Move[]} moves
 * @property {Assembled} made
 * @property {Pixels} pixels
 */

/**
 * @param {Pixels} pixels
 * @param {PoolingSlice["moves"]} what
 * @param {number} chosen
 * @param {number} down
 * @param {number} right
 * @returns {MovedImage}
 */
export function movedImage(pixels, what, chosen, down, right) {
  const ink = inkOf(pixels);
  const cut = what === "strokes" ? cutOf(pixels, "strokes") : whole(pixels);
  const piece = chosen < cut.pieces.length ? chosen : 0;
  const moves = cut.pieces.map((_, i) =>
    i === piece ? { ...STAY, down, right } : STAY,
  );
  const made = assembled(ink, cut, moves);
  return { cut, piece, moves, made, pixels: toBytes(made.ink) };
}

/** All ink as one piece: made once, so that it stays the same while it moves. */
const whole = memoizeByObject(
  (/** @type {Pixels} */ pixels) => pixels,
  (pixels) => {
    const ink = inkOf(pixels);
    const owners = Uint8Array.from(ink, (value) => (value > 0 ? 0 : NONE));
    return cutBy(ink, sideOf(pixels), owners);
  },
);

/**
 * @param {{ down: number, right: number }} move
 * @returns {{ down: number, right: number }} at most `MOST` pixels each way
 */
export function kept({ down, right }) {
  const within = (/** @type {number} */ by) => clamp(by, -MOST, MOST) + 0;
  return { down: within(down), right: within(right) };
}
