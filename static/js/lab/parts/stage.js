/**
 * The pieces over the picture: each can be dragged, and moved and turned by keys.
 * @import { Move } from "./arrangement.js"
 * @import { Cut } from "./cut.js"
 * @import { Part } from "../../ui/h.js"
 */

import { memoizeByObject } from "../../lib/memoize.js";
import { arrowOf, hasModifier, listenToDrag } from "../../ui/controls.js";
import { setAll, setText, svg } from "../../ui/dom.js";
import { fill, h } from "../../ui/h.js";
import { movedBy, STAY, TURN } from "./arrangement.js";
import { pieceWords } from "./words.js";

/** Pixels that an arrow key moves by while Shift is held. */
const FAR = 4;

/**
 * The pieces over the picture.
 * @param {HTMLElement} root of the picture's extent; filled
 * @param {HTMLElement} readout tells of the chosen piece
 * @param {Pick<PieceState, "put" | "choose">} does
 * @param {string} keys id of what tells the keys
 * @returns {(cut: Cut, moves: readonly Move[], chosen: number) => void}
 */
export function mountStage(root, readout, does, keys) {
  const overlay = svg("svg", { class: "parts-overlay" });
  root.append(overlay);
  return (cut, moves, chosen) => {
    const { rows, columns } = cut;
    const words = moves.map((move, piece) => pieceWords(cut, piece, move));
    setAll(overlay, { viewBox: `0 0 ${columns} ${rows}` });
    fill(
      overlay,
      moves.map((move, piece) =>
        h(pieceOnStage, {
          cut,
          piece,
          move,
          chosen,
          words: words[piece],
          keys,
          ...does,
          pixel: () => root.getBoundingClientRect().width / columns,
        }),
      ),
    );
    setText(readout, words[chosen] ?? "");
  };
}

/**
 * @typedef {object} PieceState
 * @property {Cut} cut
 * @property {number} piece
 * @property {Move} move
 * @property {number} chosen
 * @property {string} words
 * @property {string} keys id of what tells the keys
 * @property {() => number} pixel side of a pixel, in CSS pixels
 * @property {(piece: number, move: Move) => void} put
 * @property {(piece: number) => void} choose
 */

/** The paths of a cut's pieces, each for its area and its outline. */
const pathsOf = memoizeByObject(
  (/** @type {Cut} */ cut) => cut,
  (cut) => cut.pieces.map((_, i) => [areaPath(cut, i), outlinePath(cut, i)]),
);

/** @type {Part<PieceState>} */
function pieceOnStage() {
  const element = svg("g", { class: "parts-piece", role: "button", tabindex: 0 });
  /** @type {PieceState} */
  let now;
  /** @param {Move} from @param {Partial<Move>} by */
  const move = (from, by) => now.put(now.piece, movedBy(now.cut, now.piece, from, by));
  element.addEventListener("focus", () => now.choose(now.piece));
  element.addEventListener("keydown", (event) => {
    const by = stepOf(event);
    if (by === null) return;
    event.preventDefault();
    if (by === "back") now.put(now.piece, STAY);
    else move(now.move, by);
  });
  listenToDrag(element, (event) => {
    event.preventDefault(); // no selection of text
    now.choose(now.piece);
    element.focus({ preventScroll: true });
    const from = now.move;
    return ({ clientX, clientY }) => {
      const [x, y] = [clientX - event.clientX, clientY - event.clientY];
      const pixel = now.pixel();
      move(from, { right: Math.round(x / pixel), down: Math.round(y / pixel) });
    };
  });
  return {
    element,
    show(next) {
      now = next;
      const { cut, piece, move, chosen, words, keys } = now;
      const { row, column } = cut.pieces[piece];
      setAll(element, {
        transform: `translate(${move.right} ${move.down}) rotate(${-move.turn} ${column} ${row})`,
        "aria-label": words,
        "aria-describedby": keys,
        "aria-pressed": String(piece === chosen),
      });
      element.classList.toggle("is-chosen", piece === chosen);
      const [area, outline] = pathsOf(cut)[piece];
      fill(
        element,
        h("path", { class: "parts-area", d: area }),
        h("path", { class: "parts-outline", d: outline }),
      );
    },
  };
}

/**
 * @param {KeyboardEvent} event
 * @returns {Partial<Move> | "back" | null} null for a key that does nothing here
 */
export function stepOf(event) {
  const arrow = arrowOf(event);
  if (arrow !== null) {
    const far = event.shiftKey ? FAR : 1;
    return { down: arrow[0] * far, right: arrow[1] * far };
  }
  if (hasModifier(event)) return null;
  if (event.key === "PageUp") return { turn: TURN };
  if (event.key === "PageDown") return { turn: -TURN };
  return event.key === "Home" ? "back" : null;
}

/**
 * All pixels of a piece as rectangles of one row each, to point at.
 * @param {Cut} cut @param {number} piece
 * @returns {string} for an SVG path in pixels
 */
export function areaPath({ rows, columns, owners }, piece) {
  let path = "";
  for (let row = 0; row < rows; row++)
    for (let start = 0; start < columns; start++) {
      let end = start;
      while (end < columns && owners[row * columns + end] === piece) end++;
      if (end === start) continue;
      path += `M${start} ${row}h${end - start}v1H${start}z`;
      start = end;
    }
  return path;
}

/**
 * The edges between a piece's pixels and others.
 * @param {Cut} cut @param {number} piece
 * @returns {string} for an SVG path in pixels
 */
export function outlinePath({ rows, columns, owners }, piece) {
  const isOwn = (/** @type {number} */ row, /** @type {number} */ column) =>
    row >= 0 &&
    row < rows &&
    column >= 0 &&
    column < columns &&
    owners[row * columns + column] === piece;
  let path = "";
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column <= columns; column++) {
      const isInside = isOwn(row, column);
      if (isInside !== isOwn(row - 1, column)) path += `M${column} ${row}h1`;
      if (isInside !== isOwn(row, column - 1)) path += `M${column} ${row}v1`;
    }
  return path;
}
