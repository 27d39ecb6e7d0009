/**
 * Pieces of an image put back, moved and turned.
 * Pure arithmetic: no DOM, no state.
 * @import { Cut, Piece } from "./cut.js"
 */
import { clamp, sum } from "../../lib/arithmetic.js";
import { between, turnOf } from "../shared/between.js";
import { NONE } from "./cut.js";

/** Degrees by which pieces are turned. */
export const TURN = 15;

/**
 * Where a piece is put.
 * @typedef {object} Move
 * @property {number} down whole pixels
 * @property {number} right whole pixels
 * @property {number} turn degrees counter-clockwise, a multiple of `TURN` in 0..345
 */

/** @type {Move} */
export const STAY = { down: 0, right: 0, turn: 0 };

/** @param {Move} move */
export function isStill({ down, right, turn }) {
  return down === 0 && right === 0 && turn === 0;
}

/**
 * @param {Move} a
 * @param {Move} b
 */
export function sameMove(a, b) {
  return a.down === b.down && a.right === b.right && a.turn === b.turn;
}

/**
 * A move changed further; the point about which the piece turns stays inside the image.
 * @param {Cut} cut
 * @param {number} piece
 * @param {Move} move
 * @param {Partial<Move>} by
 * @returns {Move}
 */
export function movedBy({ side, pieces }, piece, move, by) {
  const { row, column } = pieces[piece];
  const within = (/** @type {number} */ step, /** @type {number} */ at) =>
    clamp(step, -Math.floor(at), Math.ceil(side - at) - 1);
  return {
    down: within(move.down + (by.down ?? 0), row),
    right: within(move.right + (by.right ?? 0), column),
    turn: (((move.turn + (by.turn ?? 0)) % 360) + 360) % 360,
  };
}

/**
 * What the pieces make, and what was lost on the way.
 * @typedef {object} Assembled
 * @property {Float64Array} ink 0..1, row by row
 * @property {number} beyond share of the ink that lies outside the image now
 * @property {number} covered share of the ink that lies on other ink, where the sum is
 *   more than 1
 */

/**
 * Put pieces where they are moved to and add them up, to 1 at most. A whole number of pixels
 * and a quarter turn move values as they are; other turns interpolate between four pixels.
 * @param {ArrayLike<number>} ink of the image, 0..1, row by row
 * @param {Cut} cut
 * @param {readonly Move[]} moves one for each piece
 * @returns {Assembled}
 */
export function assembled(ink, cut, moves) {
  const { side, owners, pieces } = cut;
  const laid = Float64Array.from(ink, (value, i) => (owners[i] === NONE ? value : 0));
  let placed = sum(laid);
  pieces.forEach((piece, number) => {
    const own = Float64Array.from(ink, (value, i) =>
      owners[i] === number ? value : 0,
    );
    placed += added(laid, own, side, piece, moves[number]);
  });
  const limited = laid.map((value) => Math.min(value, 1));
  const all = sum(ink);
  const shareOf = (/** @type {number} */ lost) => (all === 0 ? 0 : lost / all);
  return {
    ink: limited,
    // Interpolation changes a sum a little, either way.
    beyond: Math.max(0, shareOf(all - placed)),
    covered: shareOf(placed - sum(limited)),
  };
}

/**
 * @param {Float64Array} laid is added to
 * @param {Float64Array} own the piece's pixels at their old places, else 0
 * @param {number} side pixels in a row
 * @param {Piece} piece
 * @param {Move} move
 * @returns {number} how much ink was added
 */
function added(laid, own, side, { box, row, column }, { down, right, turn }) {
  const { cos, sin } = turnOf(turn);
  // Nothing of the piece is farther from the point about which it turns.
  const reach =
    Math.hypot(
      Math.max(row - box.top, box.top + box.height - row),
      Math.max(column - box.left, box.left + box.width - column),
    ) + 1;
  const [toRow, toColumn] = [row + down, column + right];
  const from = (/** @type {number} */ at) => Math.max(0, Math.floor(at - reach));
  const to = (/** @type {number} */ at) => Math.min(side - 1, Math.ceil(at + reach));
  let placed = 0;
  for (let y = from(toRow); y <= to(toRow); y++)
    for (let x = from(toColumn); x <= to(toColumn); x++) {
      const [dy, dx] = [y + 0.5 - toRow, x + 0.5 - toColumn];
      const value = between(
        own,
        side,
        row - 0.5 + dx * sin + dy * cos,
        column - 0.5 + dx * cos - dy * sin,
      );
      laid[y * side + x] += value;
      placed += value;
    }
  return placed;
}
