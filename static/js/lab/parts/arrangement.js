/**
 * Pieces of an image put back, moved and turned, and how their places stand in a link.
 * Pure arithmetic: no DOM, no state.
 * @import { Grid } from "../../types.js"
 * @import { Cut, Piece } from "./cut.js"
 */

import { clamp, sum } from "../../lib/arithmetic.js";
import { between, turnOf } from "../../lib/pixels.js";
import { MOST_PIECES, NONE } from "./cut.js";

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

/** @param {readonly Move[]} a @param {readonly Move[]} b as many */
export const isSameMoves = (a, b) =>
  a.every(({ down, right, turn }, i) => {
    const other = b[i];
    return down === other.down && right === other.right && turn === other.turn;
  });

/**
 * Change a move; the point about which the piece turns stays inside the image.
 * @param {Cut} cut @param {number} piece @param {Move} move @param {Partial<Move>} by
 * @returns {Move}
 */
export function movedBy({ rows, columns, pieces }, piece, move, by) {
  const { row, column } = pieces[piece];
  return {
    down: within(move.down + (by.down ?? 0), row, rows),
    right: within(move.right + (by.right ?? 0), column, columns),
    turn: (((move.turn + (by.turn ?? 0)) % 360) + 360) % 360,
  };
}

/**
 * @param {number} step
 * @param {number} at where it begins
 * @param {number} side of the image
 * @returns {number} as much of it as stays inside
 */
function within(step, at, side) {
  return clamp(step, -Math.floor(at), Math.ceil(side - at) - 1);
}

/**
 * What the pieces make, and what was lost on the way.
 * @typedef {object} Assembled
 * @property {Float64Array} ink 0..1, channel by channel, row by row
 * @property {number} beyond share of the ink that lies outside the image now
 * @property {boolean} hasInk whether there was any
 * @property {number} covered share of the ink that lies on other ink, where the sum is
 *   more than 1
 */

/**
 * Put pieces where they are moved to and add them up, to 1 at most. A whole number of pixels
 * and a quarter turn move values as they are; other turns interpolate between four pixels.
 * @param {Float64Array} ink of the image, 0..1, channel by channel, row by row
 * @param {Cut} cut
 * @param {readonly Move[]} moves one for each piece
 * @returns {Assembled}
 */
export function assemble(ink, cut, moves) {
  const { owners, pieces } = cut;
  const size = owners.length;
  const ownerOf = (/** @type {number} */ i) => owners[i % size];
  const laid = ink.map((value, i) => (ownerOf(i) === NONE ? value : 0));
  let placed = sum(laid);
  pieces.forEach((piece, number) => {
    const pieceInk = ink.map((value, i) => (ownerOf(i) === number ? value : 0));
    for (let from = 0; from < ink.length; from += size) {
      const [to, plane] = [laid, pieceInk].map((all) =>
        all.subarray(from, from + size),
      );
      placed += addPiece(to, plane, cut, piece, moves[number]);
    }
  });
  const limited = laid.map((value) => Math.min(value, 1));
  const all = sum(ink);
  const shareOf = (/** @type {number} */ lost) => (all === 0 ? 0 : lost / all);
  return {
    ink: limited,
    hasInk: all > 0,
    // Interpolation changes a sum a little, either way.
    beyond: Math.max(0, shareOf(all - placed)),
    covered: shareOf(placed - sum(limited)),
  };
}

/**
 * @param {Float64Array} laid is added to
 * @param {Float64Array} pieceInk the piece's pixels at their old places, else 0
 * @param {Grid} grid @param {Piece} piece @param {Move} move
 * @returns {number} how much ink was added
 */
function addPiece(laid, pieceInk, grid, { box, row, column }, { down, right, turn }) {
  const { cos, sin } = turnOf(turn);
  // Nothing of the piece is farther from the point about which it turns.
  const reach =
    Math.hypot(
      Math.max(row - box.top, box.top + box.height - row),
      Math.max(column - box.left, box.left + box.width - column),
    ) + 1;
  const [toRow, toColumn] = [row + down, column + right];
  const from = (/** @type {number} */ at) => Math.max(0, Math.floor(at - reach));
  const lastRow = Math.min(grid.rows - 1, Math.ceil(toRow + reach));
  const lastColumn = Math.min(grid.columns - 1, Math.ceil(toColumn + reach));
  let placed = 0;
  for (let y = from(toRow); y <= lastRow; y++)
    for (let x = from(toColumn); x <= lastColumn; x++) {
      const [dy, dx] = [y + 0.5 - toRow, x + 0.5 - toColumn];
      const value = between(
        pieceInk,
        grid,
        row - 0.5 + dx * sin + dy * cos,
        column - 0.5 + dx * cos - dy * sin,
      );
      laid[y * grid.columns + x] += value;
      placed += value;
    }
  return placed;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** In images up to this side every distance is one character, in larger ones two. */
const SHORT = DIGITS.length / 2;

const UNMOVED = ".";

/**
 * Write an arrangement as a few characters of a link: three for a piece that is moved
 * or turned, a dot for one that is not.
 * @param {readonly Move[]} moves
 * @param {Grid} grid of the image's pixels
 * @returns {string} empty where nothing is moved
 */
export function encodeMoves(moves, grid) {
  const side = longerSide(grid);
  const number = (/** @type {number} */ value) => {
    const high = side > SHORT ? DIGITS[Math.floor(value / DIGITS.length)] : "";
    return high + DIGITS[value % DIGITS.length];
  };
  const middle = middleOf(side);
  return moves
    .map((move) =>
      isStill(move)
        ? UNMOVED
        : number(move.down + middle) +
          number(move.right + middle) +
          DIGITS[move.turn / TURN],
    )
    .join("")
    .replace(/\.+$/, "");
}

/**
 * Read an arrangement from a link.
 * @param {string} text
 * @param {Grid} grid of the image's pixels
 * @returns {Move[] | null} as many as the text says; null where it says none that can be
 */
export function decodeMoves(text, grid) {
  const side = longerSide(grid);
  const width = side > SHORT ? 2 : 1;
  const middle = middleOf(side);
  const pattern = new RegExp(`\\.|([\\w-]{${width}})([\\w-]{${width}})([\\w-])`, "y");
  /** @type {Move[]} */
  const moves = [];
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null || moves.length === MOST_PIECES) return null;
    if (match[0] === UNMOVED) {
      moves.push(STAY);
      continue;
    }
    const [down, right, turn] = match.slice(1).map(readNumber);
    const move = { down: down - middle, right: right - middle, turn: turn * TURN };
    const isInside =
      Math.abs(move.down) < grid.rows && Math.abs(move.right) < grid.columns;
    if (!isInside || move.turn >= 360) return null;
    moves.push(move);
  }
  return moves;
}

/** @param {Grid} grid */
function longerSide({ rows, columns }) {
  return Math.max(rows, columns);
}

/** @param {number} side */
function middleOf(side) {
  return side > SHORT ? DIGITS.length * SHORT : SHORT;
}

/** @param {string} digits */
function readNumber(digits) {
  return [...digits].reduce(
    (value, digit) => value * DIGITS.length + DIGITS.indexOf(digit),
    0,
  );
}
