/**
 * The plane that votes are drawn in: its axes, and the circle of length 1.
 * @import { PlaneFrame } from "../geometry/plane.js"
 */
const UNIT = "length 1"; // what the circle is called
const UNIT_ROOM = { width: 42, height: 16 }; // that these words take

/** What it and the votes are drawn in. */
export const PLANE_COLORS = /** @type {const} */ ([
  "text",
  "muted",
  "line",
  "accent",
  "focus",
  "gain",
  "even",
  "loss",
  "surface",
]);

/** @typedef {Record<typeof PLANE_COLORS[number], string>} PlaneColors */

/**
 * The axes through zero and the circle that no digit capsule leaves.
 * @param {CanvasRenderingContext2D} context @param {PlaneFrame} frame
 * @param {{ width: number, height: number }} size @param {PlaneColors} colors
 */
export function paintPlane(context, { x, y, unit }, { width, height }, colors) {
  context.globalAlpha = 1;
  context.lineWidth = 1;
  context.strokeStyle = colors.line;
  context.beginPath();
  context.moveTo(0, y);
  context.lineTo(width, y);
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
  context.setLineDash([4, 4]);
  context.beginPath();
  context.arc(x, y, unit, 0, 2 * Math.PI);
  context.stroke();
  context.setLineDash([]);
}

/**
 * What the circle is called, and where that can stand: most votes point to the right.
 * @param {PlaneFrame} frame
 */
export function unitOf({ x, y, unit }) {
  const [across, up] = [unit * Math.SQRT1_2 + UNIT_ROOM.width / 2, unit * Math.SQRT1_2];
  const half = UNIT_ROOM.height / 2;
  return {
    text: UNIT,
    places: [
      { x: x - across, y: y - up - half },
      { x: x - across, y: y + up + half },
      { x: x + unit + 4 + UNIT_ROOM.width / 2, y: y + 4 + half },
    ],
  };
}
