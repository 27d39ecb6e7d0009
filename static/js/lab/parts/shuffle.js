/**
 * Arrangements that a button makes: shuffled, halves exchanged, every piece turned.
 * Pure arithmetic: no DOM, no state.
 * @import { Move } from "./arrangement.js"
 * @import { Cut } from "./cut.js"
 */
import { clamp } from "../../lib/arithmetic.js";
import { random } from "../shared/random.js";
import { STAY } from "./arrangement.js";

/** Orders that are tried until no piece is where it was. */
const TRIES = 200;

/**
 * A random order in which nothing is where it was: orders are drawn until one is so, as
 * `python -m model measure` does, though not the same ones.
 * @param {number} count
 * @param {() => number} next random numbers
 * @returns {number[]} for each place what comes there; unchanged where there is but one
 */
export function derangement(count, next) {
  const order = Array.from({ length: count }, (_, i) => i);
  if (count < 2) return order;
  while (order.some((from, to) => from === to))
    for (let i = count - 1; i > 0; i--) {
      const other = Math.floor(next() * (i + 1));
      [order[i], order[other]] = [order[other], order[i]];
    }
  return order;
}

/**
 * Put each piece where another was. Pieces of strokes go where the other's centre was, and
 * as far back as keeps them inside the image. Then a piece may end where it began, so orders
 * are tried until none does.
 * @param {Cut} cut
 * @param {number} seed
 * @returns {Move[]}
 */
export function shuffled(cut, seed) {
  const next = random(seed);
  let moves = exchanged(cut, derangement(cut.pieces.length, next));
  for (let tried = 1; tried < TRIES && moves.some(isNowhere); tried++)
    moves = exchanged(cut, derangement(cut.pieces.length, next));
  return moves;
}

/** @param {Move} move */
const isNowhere = ({ down, right }) => down === 0 && right === 0;

/**
 * @param {Cut} cut
 * @param {readonly number[]} order for each place the piece that comes there
 * @returns {Move[]}
 */
export function exchanged({ side, pieces }, order) {
  /** @type {Move[]} */
  const moves = [];
  order.forEach((from, to) => {
    const [piece, place] = [pieces[from], pieces[to]];
    const { top, left, height, width } = piece.box;
    moves[from] = {
      down: kept(place.row - piece.row, top, height, side),
      right: kept(place.column - piece.column, left, width, side),
      turn: 0,
    };
  });
  return moves;
}

/**
 * @param {number} by
 * @param {number} start of a piece
 * @param {number} size
 * @param {number} side of the image
 * @returns {number} as much of it as keeps the piece inside
 */
function kept(by, start, size, side) {
  return clamp(by, -start, side - start - size);
}

/**
 * Exchange the upper and the lower half, or the left and the right.
 * @param {Cut} cut into an even number of tiles in a row
 * @param {"down" | "across"} way
 * @returns {Move[]}
 */
export function halvesExchanged(cut, way) {
  const across = Math.sqrt(cut.pieces.length);
  const order = cut.pieces.map((_, to) => {
    const [row, column] = [Math.floor(to / across), to % across];
    const other = (/** @type {number} */ at) => (at + across / 2) % across;
    return way === "down" ? other(row) * across + column : row * across + other(column);
  });
  return exchanged(cut, order);
}

/**
 * Turn every piece about its own centre, wherever it is.
 * @param {readonly Move[]} moves
 * @param {number} by degrees counter-clockwise
 * @returns {Move[]}
 */
export function allTurned(moves, by) {
  return moves.map((move) => ({ ...move, turn: (move.turn + by + 360) % 360 }));
}

/**
 * @param {Cut} cut
 * @returns {Move[]} every piece where it was
 */
export function unmoved({ pieces }) {
  return pieces.map(() => STAY);
}
