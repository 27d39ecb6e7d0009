/**
 * An arrangement of pieces as a few characters of a link: three for a piece that is moved
 * or turned, a dot for one that is not.
 * @import { Move } from "./arrangement.js"
 */
import { isStill, STAY, TURN } from "./arrangement.js";
import { MOST_PIECES } from "./cut.js";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** In images up to this side every distance is one character, in larger ones two. */
const SHORT = DIGITS.length / 2;

const UNMOVED = ".";

/**
 * @param {readonly Move[]} moves
 * @param {number} side pixels in a row
 * @returns {string} empty where nothing is moved
 */
export function encodeMoves(moves, side) {
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
 * @param {string} text
 * @param {number} side pixels in a row
 * @returns {Move[] | null} as many as the text says; null where it says none that can be
 */
export function decodeMoves(text, side) {
  const width = side > SHORT ? 2 : 1;
  const middle = middleOf(side);
  const each = new RegExp(`\\.|([\\w-]{${width}})([\\w-]{${width}})([\\w-])`, "y");
  /** @type {Move[]} */
  const moves = [];
  while (each.lastIndex < text.length) {
    const found = each.exec(text);
    if (found === null || moves.length === MOST_PIECES) return null;
    if (found[0] === UNMOVED) {
      moves.push(STAY);
      continue;
    }
    const [down, right, turn] = found.slice(1).map(readNumber);
    const move = { down: down - middle, right: right - middle, turn: turn * TURN };
    const isInside = Math.abs(move.down) < side && Math.abs(move.right) < side;
    if (!isInside || move.turn >= 360) return null;
    moves.push(move);
  }
  return moves;
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
