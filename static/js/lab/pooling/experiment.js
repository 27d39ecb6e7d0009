/**
 * Pooling: a stroke moved by a pixel or two. What does max-pooling hide of it, and what do
 * the poses of capsules tell of it?
 * @import { Field } from "../../core/schema.js"
 * @import { Experiment } from "../../types.js"
 */
import { choice, optional, text, whole } from "../../core/schema.js";
import { isColour } from "../../lib/pixels.js";
import { packShift, STEPS, unpackShift } from "../../lib/shift.js";
import { MOST_PIECES } from "../parts/cut.js";

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

/** No map and no window of any layer has a larger number. */
const LARGEST = 9999;

/** @type {Experiment<PoolingSlice>} */
export const pooling = {
  id: "pooling",
  title: "Pooling",
  schema: {
    moves: choice("moves", ["digit", "strokes"]),
    piece: whole({ link: "piece", most: MOST_PIECES - 1 }),
    down: moveField("down"),
    right: moveField("right"),
    layer: text("layer"),
    shown: optional({ link: "pooled", most: LARGEST }),
    window: optional({ link: "window", most: LARGEST }),
  },
  tryFirst: {
    words: "Move one piece of the strokes, and leave the rest.",
    button: "Move one piece",
    at: '[data-what] [aria-pressed="true"]',
    // A photograph has no strokes to be cut into.
    change: ({ pixels }) => (isColour(pixels) ? null : { moves: "strokes" }),
  },
  script: "lab/pooling/index.js",
  load: () => import("./index.js"),
};

/**
 * How far it is moved, in a link: `by=-1,2` is one pixel up and two right.
 * @param {"down" | "right"} way
 * @returns {Field<number>}
 */
function moveField(way) {
  return {
    start: () => STEPS.right[way],
    write(link, value, start, slice) {
      if (value !== start) link.set("by", packShift(slice));
    },
    read: (link) => (unpackShift(link.get("by") ?? "") ?? STEPS.right)[way],
  };
}
