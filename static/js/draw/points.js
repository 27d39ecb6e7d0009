/**
 * A picture on a stage with points to point at and to walk on with arrow keys: the nearest
 * one is read and chosen. Values that move glide to where they are next.
 * @import { PlaneFrame } from "../geometry/plane.js"
 * @import { Part } from "../ui/h.js"
 * @import { Stage } from "../ui/stage.js"
 */

import { gridTable, keepNumbers } from "../lib/numbers.js";
import { make, makeReadout, setAria, setText } from "../ui/dom.js";
import { h } from "../ui/h.js";
import { tween } from "../ui/motion.js";
import { listenToPoints } from "../ui/pointing.js";
import { createStage } from "../ui/stage.js";

/**
 * @typedef {object} Points
 * @property {string} label accessible name
 * @property {string} look class of the canvas
 * @property {readonly string[]} colors of the theme
 * @property {Float32Array} points (count, 2)
 * @property {Float32Array} [moving] what glides; nothing does when absent
 * @property {object} [of] what it glides within; elsewhere it jumps
 * @property {number} [at] where it is in that
 * @property {(stage: Stage<any>, moving: Float32Array, pointed: number) => PlaneFrame} paint
 *   pointed is -1 for none
 * @property {number | null} chosen null where none of them is
 * @property {(i: number) => void} choose
 * @property {(i: number | null) => string} words
 * @property {(i: number | null) => void} [point]
 */

/** @param {Points} options */
export const points = (options) => h(pointsPart, options);

const REACH = 14; // how far from a point the pointer may be

/** @type {Part<Points>} */
function pointsPart() {
  const canvas = make("canvas", { role: "application", tabindex: "0" });
  const readout = makeReadout();
  /** @type {Points | null} */
  let now = null;
  /** @type {Float32Array | null} */
  let moving = null;
  /** @type {number | null} */
  let pointed = null;
  /** Chosen, and not yet drawn: keys may be faster than frames. @type {number | null} */
  let aimed = null;
  /** @type {PlaneFrame} */
  let frame = { x: 0, y: 0, unit: 0 };
  /** @type {(() => void) | null} */
  let ask = null;

  const tell = () => now && setText(readout, now.words(pointed ?? now.chosen));
  const move = tween(
    (/** @type {Float32Array} */ values) => {
      moving = values;
      ask?.();
    },
    (from, to, share) => to.map((value, i) => from[i] + share * (value - from[i])),
  );
  listenToPoints(canvas, {
    points: () => now?.points ?? new Float32Array(0),
    frame: () => frame,
    reach: REACH,
    chosen: () => aimed ?? now?.chosen ?? null,
    point(i) {
      if (i === pointed) return;
      pointed = i;
      now?.point?.(i);
      tell();
      ask?.();
    },
    choose(i) {
      aimed = i;
      now?.choose(i);
    },
  });

  keepNumbers(canvas, () => [
    gridTable(["point", "axis", "value"], now?.points ?? [], ["x", "y"]),
  ]);
  return {
    element: make("div", "", canvas, readout),
    /** @param {Points} next */
    show(next) {
      const isAlike = now !== null && now.of === next.of;
      const to = next.moving ?? next.points;
      const from = isAlike && moving ? moving : to;
      const isMoved = !isAlike || now?.at !== next.at;
      if (now?.points.length !== next.points.length) pointed = null;
      now = next;
      aimed = null;
      canvas.classList.add("drawn", now.look); // beside what others mark it with
      setAria(canvas, { "aria-label": now.label, "aria-describedby": readout.id });
      ask ??= createStage(canvas, now.colors, (stage) => {
        if (now && moving) frame = now.paint(stage, moving, pointed ?? -1);
      });
      if (isMoved) move(from, to);
      tell();
      ask();
    },
  };
}
