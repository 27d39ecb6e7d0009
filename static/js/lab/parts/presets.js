/**
 * The ways in which an image is cut, and the arrangements that buttons make: shuffled,
 * exchanged, turned.
 * @import { Move } from "./arrangement.js"
 * @import { Cut } from "./cut.js"
 * @import { PartsSlice } from "./experiment.js"
 * @import { Arranged } from "./index.js"
 * @import { Grid, Pixels } from "../../types.js"
 */

import { clamp } from "../../lib/arithmetic.js";
import { random } from "../../lib/chance.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { greyOf, inkOf } from "../../lib/pixels.js";
import { findElement } from "../../ui/dom.js";
import { decodeMoves, encodeMoves, movedBy, STAY, TURN } from "./arrangement.js";
import { cutTiles } from "./cut.js";
import { cutStrokes } from "./strokes.js";

/** Into so many tiles in a row, or into pieces of strokes. */
export const CUTS = /** @type {const} */ (["2", "3", "4", "strokes"]);

/** @typedef {typeof CUTS[number]} CutName */

/** Every cut of an image is made once, so that its pieces stay the same while they move. */
const cutsOf = memoizeByObject(
  (/** @type {Pixels} */ pixels) => pixels,
  (pixels) => ({
    2: memoize(() => cutTiles(pixels, 2)),
    3: memoize(() => cutTiles(pixels, 3)),
    4: memoize(() => cutTiles(pixels, 4)),
    strokes: memoize(() => cutStrokes(greyOf(inkOf(pixels), pixels), pixels)),
  }),
);

/** @param {Pixels} pixels @param {CutName} name @returns {Cut} always the same one */
export function cutOf(pixels, name) {
  return cutsOf(pixels)[name]();
}

/**
 * Read where each piece is. Pieces that the text says wrongly, or does not mention,
 * stay.
 * @param {Cut} cut @param {string} text
 * @returns {Move[]}
 */
export function movesIn(cut, text) {
  const moves = decodeMoves(text, cut) ?? [];
  return cut.pieces.map((_, piece) => moves[piece] ?? STAY);
}

/** Orders that are tried until no piece is where it was. */
const TRIES = 200;

/**
 * A random order in which nothing is where it was: orders are drawn until one is so, as
 * `python -m capsnet_explorer measure` does, though not the same ones.
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
 * Put each piece where another was. Pieces of strokes go to the other's centre, but
 * stay inside the image. A piece may thereby end where it began, so orders are tried
 * until none does.
 * @param {Cut} cut @param {number} seed
 * @returns {Move[]}
 */
export function shuffle(cut, seed) {
  const next = random(seed);
  let moves = exchange(cut, derangement(cut.pieces.length, next));
  for (let tried = 1; tried < TRIES && moves.some(isNowhere); tried++)
    moves = exchange(cut, derangement(cut.pieces.length, next));
  return moves;
}

/** @param {Move} move */
const isNowhere = ({ down, right }) => down === 0 && right === 0;

/**
 * @param {Cut} cut
 * @param {readonly number[]} order for each place the piece that comes there
 * @returns {Move[]}
 */
export function exchange({ rows, columns, pieces }, order) {
  /** @type {Move[]} */
  const moves = [];
  order.forEach((from, to) => {
    const [piece, target] = [pieces[from], pieces[to]];
    const { top, left, height, width } = piece.box;
    moves[from] = {
      down: clampStep(target.row - piece.row, top, height, rows),
      right: clampStep(target.column - piece.column, left, width, columns),
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
function clampStep(by, start, size, side) {
  return clamp(by, -start, side - start - size);
}

/**
 * Exchange the upper and the lower half, or the left and the right.
 * @param {Cut} cut into an even number of tiles in a row
 * @param {"down" | "across"} way
 * @returns {Move[]}
 */
export function exchangeHalves(cut, way) {
  const across = Math.sqrt(cut.pieces.length);
  const order = cut.pieces.map((_, to) => {
    const [row, column] = [Math.floor(to / across), to % across];
    const other = (/** @type {number} */ at) => (at + across / 2) % across;
    return way === "down" ? other(row) * across + column : row * across + other(column);
  });
  return exchange(cut, order);
}

/**
 * Turn every piece about its own centre, wherever it is.
 * @param {readonly Move[]} moves
 * @param {number} by degrees counter-clockwise
 * @returns {Move[]}
 */
export function turnAll(moves, by) {
  return moves.map((move) => ({ ...move, turn: (move.turn + by + 360) % 360 }));
}

/** Cuts that have halves. */
const EVEN = ["2", "4"];

/**
 * Listen to the buttons that arrange pieces, and to those that turn the chosen one.
 * @param {HTMLElement} root holds a button for each name, `data-do`
 * @param {object} on
 * @param {() => (PartsSlice & { pixels: Pixels }) | null} on.get
 * @param {(patch: Partial<PartsSlice>) => void} on.set
 * @param {() => Arranged | null} on.arranged
 */
export function presets(root, { get, set, arranged }) {
  let seed = 0;

  /** @type {Record<string, (state: PartsSlice & { pixels: Pixels }, now: Arranged) => Partial<PartsSlice>>} */
  const does = {
    shuffle: (_, { cut }) => placePieces(cut, shuffle(cut, ++seed)),
    rows: (state) => halves(state, "down"),
    columns: (state) => halves(state, "across"),
    turned: (_, { cut, moves }) => placePieces(cut, turnAll(moves, 90)),
    misplaced({ pixels }) {
      const cut = cutOf(pixels, "strokes");
      return { ...placePieces(cut, shuffle(cut, seed++)), cut: "strokes", piece: 0 };
    },
    whole: () => ({ parts: "" }),
    left: ({ piece }, now) => turnPiece(now, piece, TURN),
    right: ({ piece }, now) => turnPiece(now, piece, -TURN),
    back({ piece }, { cut, moves }) {
      return piece < moves.length ? placePieces(cut, moves.with(piece, STAY)) : {};
    },
  };
  for (const [name, job] of Object.entries(does))
    findElement(root, `[data-do="${name}"]`).addEventListener("click", () => {
      const state = get();
      const now = arranged();
      if (state !== null && now !== null) set(job(state, now));
    });
}

/** @param {Grid} grid @param {readonly import("./arrangement.js").Move[]} moves */
function placePieces(grid, moves) {
  return { parts: encodeMoves(moves, grid) };
}

/** @param {Arranged} now @param {number} piece @param {number} turn degrees */
function turnPiece({ cut, moves }, piece, turn) {
  if (piece >= moves.length) return {};
  const move = movedBy(cut, piece, moves[piece], { turn });
  return placePieces(cut, moves.with(piece, move));
}

/**
 * The digit with its halves exchanged; it is cut so that there are halves.
 * @param {Pick<PartsSlice, "cut" | "piece"> & { pixels: Pixels }} state
 * @param {"down" | "across"} way
 * @returns {PartsSlice}
 */
export function halves({ cut: name, pixels, piece }, way) {
  const even = EVEN.includes(name) ? name : "2";
  const cut = cutOf(pixels, even);
  return {
    ...placePieces(cut, exchangeHalves(cut, way)),
    cut: even,
    piece: even === name ? piece : 0,
  };
}
