/**
 * Pooling: a stroke moved by a pixel or two. What does max-pooling hide of it, and what do
 * the poses of capsules tell of it?
 * @import { Experiment } from "../../types.js"
 */
import { readSwitches, readWhole, writeSwitches } from "../../lib/links.js";
import { MOST_PIECES } from "../parts/cut.js";

/** How far a stroke can be moved, in pixels to either side. */
export const MOST = 2;

/**
 * @typedef {object} PoolingSlice
 * @property {"digit" | "strokes"} moves what is moved: the whole digit, or a piece
 * @property {number} piece the chosen one
 * @property {number} down pixels
 * @property {number} right pixels
 * @property {string} layer the id of the one whose map is shown; any other word stands for
 *   the first
 * @property {number | null} shown the number of that map; null: the one that changes most
 * @property {number | null} window of that map, row by row; null: the one that changes most
 */

/** @type {PoolingSlice} */
const START = {
  ...{ moves: "digit", piece: 0, down: 0, right: 1 },
  ...{ layer: "", shown: null, window: null },
};

const SWITCHES = { moves: { name: "moves", values: ["digit", "strokes"] } };

/** No map and no window of any layer has a larger number. */
const LARGEST = 9999;

/** @type {Experiment<PoolingSlice>} */
export const pooling = {
  id: "pooling",
  title: "Pooling",
  slice: START,
  link: {
    write(link, slice) {
      const { piece, down, right, layer, shown, window } = slice;
      writeSwitches(link, SWITCHES, slice, START);
      if (piece !== 0) link.set("piece", String(piece));
      if (down !== START.down || right !== START.right)
        link.set("by", `${down},${right}`);
      if (layer !== START.layer) link.set("layer", layer);
      if (shown !== null) link.set("pooled", String(shown));
      if (window !== null) link.set("window", String(window));
    },
    read: (link) => ({
      ...readSwitches(link, SWITCHES, START),
      ...readBy(link.get("by")),
      piece: readWhole(link.get("piece"), 0, MOST_PIECES - 1) ?? 0,
      layer: link.get("layer") ?? "",
      shown: readWhole(link.get("pooled"), 0, LARGEST),
      window: readWhole(link.get("window"), 0, LARGEST),
    }),
  },
  tryFirst: {
    words: "Move one piece of the digit’s strokes, and leave the rest.",
    button: "Move one piece",
    at: '[data-what] [aria-pressed="true"]',
    change: () => ({ moves: "strokes" }),
  },
  script: "lab/pooling/index.js",
  load: () => import("./index.js"),
};

/**
 * @param {string | null} text such as `-1,2`: one pixel up and two right
 * @returns {{ down: number, right: number }} as at the start where it says no such move
 */
function readBy(text) {
  const found = /^(-?\d),(-?\d)$/.exec(text ?? "");
  if (found === null) return { down: START.down, right: START.right };
  const [down, right] = found.slice(1).map((each) => Number(each) + 0);
  const isNear = Math.abs(down) <= MOST && Math.abs(right) <= MOST;
  return isNear ? { down, right } : { down: START.down, right: START.right };
}
