/**
 * The pieces over the picture: each can be dragged, and moved and turned by keys.
 * @import { Move } from "./arrangement.js"
 * @import { Cut } from "./cut.js"
 * @import { Verdict } from "./words.js"
 */

import { clamp } from "../../lib/arithmetic.js";
import { exactShare } from "../../lib/decimals.js";
import { capitalized } from "../../lib/format.js";
import { arrowOf, hasModifier, listenToDrag } from "../../ui/controls.js";
import { setAll, setText, svg } from "../../ui/dom.js";
import { h } from "../../ui/h.js";
import { movedBy, STAY, TURN } from "./arrangement.js";
import { pieceWords, winnerName } from "./words.js";

/** Pixels that an arrow key moves by while Shift is held. */
const FAR = 4;

/**
 * The pieces over the picture: each can be dragged, and moved and turned by keys.
 * @param {HTMLElement} root of the picture's extent; filled
 * @param {HTMLElement} readout tells of the chosen piece
 * @param {object} does
 * @param {(piece: number, move: Move) => void} does.put
 * @param {(piece: number) => void} does.choose
 * @param {string} keys id of what tells the keys
 */
export function mountStage(root, readout, { put, choose }, keys) {
  const overlay = svg("svg", { class: "parts-overlay" });
  root.append(overlay);
  /** @type {Cut | null} */
  let cut = null;
  /** @type {readonly Move[]} */
  let moves = [];
  /** @type {SVGGElement[]} */
  let elements = [];

  /** @param {number} piece @param {Partial<Move>} by */
  function step(piece, by) {
    if (cut !== null) put(piece, movedBy(cut, piece, moves[piece], by));
  }

  /** @param {number} piece */
  const makePiece = (piece) =>
    createPiece(keys, {
      choose: () => choose(piece),
      step(by) {
        if (by === "back") put(piece, STAY);
        else step(piece, by);
      },
      begin: () => moves[piece],
      drag(from, x, y) {
        if (cut === null) return;
        const pixel = root.getBoundingClientRect().width / cut.columns;
        const by = { right: Math.round(x / pixel), down: Math.round(y / pixel) };
        put(piece, movedBy(cut, piece, from, by));
      },
    });

  /** @param {Cut} next */
  function build(next) {
    cut = next;
    const { rows, columns, pieces } = next;
    setAll(overlay, { viewBox: `0 0 ${columns} ${rows}` });
    while (elements.length < pieces.length) elements.push(makePiece(elements.length));
    elements = elements.slice(0, Math.max(pieces.length, 0));
    overlay.replaceChildren(...elements);
    elements.forEach((element, piece) => {
      const [area, outline] = element.children;
      area.setAttribute("d", areaPath(next, piece));
      outline.setAttribute("d", outlinePath(next, piece));
    });
  }

  return {
    /** @param {Cut} next @param {readonly Move[]} movesNow @param {number} chosen */
    show(next, movesNow, chosen) {
      if (next !== cut) build(next);
      moves = movesNow;
      const words = moves.map((move, piece) => pieceWords(next, piece, move));
      elements.forEach((element, piece) => {
        const { down, right, turn } = moves[piece];
        const { row, column } = next.pieces[piece];
        setAll(element, {
          transform: `translate(${right} ${down}) rotate(${-turn} ${column} ${row})`,
          "aria-label": words[piece],
          "aria-pressed": String(piece === chosen),
        });
        element.classList.toggle("is-chosen", piece === chosen);
      });
      setText(readout, words[chosen] ?? "");
    },
  };
}

/**
 * @param {string} keys id of what tells the keys
 * @param {object} does
 * @param {() => void} does.choose
 * @param {(by: Partial<Move> | "back") => void} does.step
 * @param {() => Move} does.begin returns where the piece is
 * @param {(from: Move, x: number, y: number) => void} does.drag how far, in CSS pixels
 */
function createPiece(keys, { choose, step, begin, drag }) {
  const element = svg("g", {
    class: "parts-piece",
    role: "button",
    tabindex: 0,
    "aria-describedby": keys,
  });
  element.append(
    svg("path", { class: "parts-area" }),
    svg("path", { class: "parts-outline" }),
  );
  element.addEventListener("focus", choose);
  element.addEventListener("keydown", (event) => {
    const by = stepOf(event);
    if (by === null) return;
    event.preventDefault();
    step(by);
  });
  listenToDrag(element, (event) => {
    event.preventDefault(); // no selection of text
    choose();
    element.focus({ preventScroll: true });
    const from = begin();
    return ({ clientX, clientY }) =>
      drag(from, clientX - event.clientX, clientY - event.clientY);
  });
  return element;
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
      const own = isOwn(row, column);
      if (own !== isOwn(row - 1, column)) path += `M${column} ${row}h1`;
      if (own !== isOwn(row, column - 1)) path += `M${column} ${row}v1`;
    }
  return path;
}

/**
 * The winning score of the whole digit and of the jumbled one, one under the other,
 * with a mark at the score that 95 % of clean digits reach.
 * @param {Verdict} verdict
 */
export function scorePair({ kind, whole, jumbled, passing }) {
  const level =
    passing === null
      ? ""
      : `; mark: 95\u202f% of test images reach it (${exactShare(passing, 3)})`;
  const mark = passing !== null && h("b", { "--from": `${100 * passing}%` });
  return [
    h("p", { class: "fine" }, capitalized(winnerName(kind)) + level),
    Object.entries({ whole, jumbled }).map(([when, { read, score }]) => {
      const look = {
        class: "parts-pair-track",
        "--share": `${100 * clamp(score, 0, 1)}%`,
      };
      return h(
        "div",
        { class: `parts-pair-row is-${when}` },
        h("span", {}, when),
        h("span", look, h("i"), mark),
        h("output", {}, `${exactShare(score, 3)} (${read})`),
      );
    }),
  ];
}
