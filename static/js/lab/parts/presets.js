/**
 * The buttons that arrange pieces, and those that turn the chosen one.
 * @import { Pixels } from "../../types.js"
 * @import { Arranged } from "./index.js"
 * @import { PartsSlice } from "./experiment.js"
 */
import { findElement } from "../../ui/dom.js";
import { movedBy, STAY, TURN } from "./arrangement.js";
import { encodeMoves } from "./code.js";
import { cutOf } from "./cuts.js";
import { allTurned, halvesExchanged, shuffled } from "./shuffle.js";

/** Cuts that have halves. */
const EVEN = ["2", "4"];

/**
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
    shuffle: (_, { cut }) => placed(cut.side, shuffled(cut, ++seed)),
    rows: (state) => halves(state, "down"),
    columns: (state) => halves(state, "across"),
    turned: (_, { cut, moves }) => placed(cut.side, allTurned(moves, 90)),
    misplaced({ pixels }) {
      const cut = cutOf(pixels, "strokes");
      return { ...placed(cut.side, shuffled(cut, seed++)), cut: "strokes", piece: 0 };
    },
    whole: () => ({ parts: "" }),
    left: ({ piece }, now) => moved(now, piece, TURN),
    right: ({ piece }, now) => moved(now, piece, -TURN),
    back({ piece }, { cut, moves }) {
      return piece < moves.length ? placed(cut.side, moves.with(piece, STAY)) : {};
    },
  };
  for (const [name, job] of Object.entries(does))
    findElement(root, `[data-do="${name}"]`).addEventListener("click", () => {
      const state = get();
      const now = arranged();
      if (state !== null && now !== null) set(job(state, now));
    });
}

/**
 * @param {number} side
 * @param {readonly import("./arrangement.js").Move[]} moves
 */
function placed(side, moves) {
  return { parts: encodeMoves(moves, side) };
}

/**
 * @param {Arranged} now
 * @param {number} piece
 * @param {number} turn degrees
 */
function moved({ cut, moves }, piece, turn) {
  if (piece >= moves.length) return {};
  const move = movedBy(cut, piece, moves[piece], { turn });
  return placed(cut.side, moves.with(piece, move));
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
    ...placed(cut.side, halvesExchanged(cut, way)),
    cut: even,
    piece: even === name ? piece : 0,
  };
}
