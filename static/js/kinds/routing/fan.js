/**
 * Votes for one class as arrows in a plane; with those for another on the same scale.
 * @import { Content } from "../../ui/h.js"
 * @import { Points } from "../../draw/points.js"
 * @import { Fan } from "../../paint/arrows.js"
 * @import { PlaneColors } from "../../paint/plane.js"
 * @import { Stage } from "../../ui/stage.js"
 */
import { points } from "../../draw/points.js";
import { framePoints } from "../../geometry/plane.js";
import { paintFan } from "../../paint/arrows.js";
import { PLANE_COLORS, paintPlane, unitOf } from "../../paint/plane.js";
import { h } from "../../ui/h.js";

const MARGIN = 34; // for the figures beyond the tips

/**
 * @typedef {object} Drawn
 * @property {"own" | "rival"} which
 * @property {string} title
 * @property {Content} sentence below it
 * @property {readonly Float32Array[]} clouds (count, 2) each: what both pictures hold
 * @property {(moving: Float32Array, colors: PlaneColors) => Pick<Fan, "weights" | "tints" | "made">} look
 *   of the arrows
 */

/** @param {Drawn & Omit<Points, "look" | "colors" | "paint">} options */
export function fan({ which, title, sentence, clouds, look, label, ...picture }) {
  /** @param {Stage<typeof PLANE_COLORS[number]>} stage @param {Float32Array} moving @param {number} pointed */
  function paint({ context, width, height, colors, font }, moving, pointed) {
    const size = { width, height };
    const frame = framePoints(clouds, { ...size, margin: MARGIN });
    paintPlane(context, frame, size, colors);
    const { points: tips, chosen } = picture;
    const shown = { tips, chosen: chosen ?? -1, pointed, unit: unitOf(frame) };
    paintFan(
      ...[context, { ...shown, ...look(moving, colors) }, frame, colors, font, size],
    );
    return frame;
  }
  return h(
    "figure",
    { "data-fan": which },
    h("h4", { "data-fan-title": "" }, title),
    points({
      label: `${label}. Arrow keys go from vote to vote.`,
      ...picture,
      look: "agreement-picture",
      colors: PLANE_COLORS,
      paint,
    }),
    h("p", { "data-fan-words": "" }, sentence),
  );
}
