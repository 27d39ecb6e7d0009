/**
 * Votes as points in a plane, with what routing makes of them.
 * @import { PlaneFrame } from "../geometry/plane.js"
 */
import { placeLabels } from "../geometry/labels.js";
import { placeOf } from "../geometry/plane.js";
import { paintArrow, write } from "./arrows.js";
import { shadesOf, tintOf } from "./tints.js";

const LEAST_RADIUS = 1;
const MOST_RADIUS = 6; // of a capsule of length 1
const ARROW = 9; // the length of its head
const UNIT = "length 1"; // what the circle is called
const UNIT_ROOM = { width: 42, height: 16 }; // that these words take

/** What a cloud is drawn in. */
export const CLOUD_COLORS = /** @type {const} */ ([
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

/** @typedef {Record<typeof CLOUD_COLORS[number], string>} CloudColors */

/**
 * @typedef {object} Cloud
 * @property {Float32Array} points (count, 2) votes
 * @property {Float32Array} sizes (count) in 0..1: lengths of the capsules that vote
 * @property {Float32Array} weights (count) in 0..1: couplings
 * @property {Float32Array} tints (count) in -1..1: against or with
 * @property {number} first the points from here ...
 * @property {number} last ... up to here, exclusive, are set off: those of one type
 * @property {number} chosen the point that is
 * @property {number} pointed the point under the pointer; -1 for none
 */

/**
 * @param {CanvasRenderingContext2D} context @param {Cloud} cloud
 * @param {PlaneFrame} frame @param {CloudColors} colors
 */
export function paintCloud(context, cloud, frame, colors) {
  const { points, weights, tints, first, last, chosen, pointed } = cloud;
  const shades = shadesOf(colors.loss, colors.even, colors.gain);
  for (let i = 0; i < weights.length; i++) {
    context.globalAlpha = Math.sqrt(weights[i]);
    context.fillStyle = tintOf(shades, tints[i]);
    circle(context, points, i, frame, radiusOf(cloud, i));
    context.fill();
  }
  context.globalAlpha = 1;
  context.lineWidth = 1;
  context.strokeStyle = colors.focus;
  for (let i = first; i < last; i++) {
    circle(context, points, i, frame, radiusOf(cloud, i) + 1.5);
    context.stroke();
  }
  context.lineWidth = 2.5;
  ring(context, cloud, chosen, frame, colors.focus);
  if (pointed >= 0) ring(context, cloud, pointed, frame, colors.text);
}

/**
 * The axes through zero and the circle that no digit capsule leaves.
 * @param {CanvasRenderingContext2D} context @param {PlaneFrame} frame
 * @param {{ width: number, height: number }} size @param {CloudColors} colors
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

/**
 * @param {CanvasRenderingContext2D} context @param {PlaneFrame} frame
 * @param {{ width: number, height: number }} size @param {string} color
 * @param {string} font
 */
export function paintUnit(context, frame, size, color, font) {
  const { text, places } = unitOf(frame);
  const [box] = placeLabels([{ ...UNIT_ROOM, places, isNeeded: true }], size);
  if (box === null) return;
  context.fillStyle = color;
  context.font = `11px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, box.x, box.y);
}

/**
 * An arrow from zero, and the way its tip has come.
 * @param {CanvasRenderingContext2D} context
 * @param {Float32Array} path (iterations, 2)
 * @param {number} step the iteration on show
 * @param {PlaneFrame} frame
 * @param {{ color: string, ground: string, name: string, font: string, isArrow: boolean }} look
 */
export function paintPath(context, path, step, frame, look) {
  const { color, ground, name, font, isArrow } = look;
  const at = (/** @type {number} */ i) => placeOf(frame, path, i);
  context.globalAlpha = 1;
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineWidth = 2;
  context.beginPath();
  for (let i = 0; i < path.length / 2; i++) context.lineTo(at(i).x, at(i).y);
  context.globalAlpha = 0.45;
  context.stroke();
  for (let i = 0; i < path.length / 2; i++) dot(context, at(i), 2.5);
  context.globalAlpha = 1;
  if (!isArrow) number(context, path.length / 2, at, font);
  const tip = at(step);
  if (isArrow) paintArrow(context, frame, tip, 2.5, ARROW);
  else dot(context, tip, 5);
  context.font = `bold 13px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "bottom";
  write(context, name, tip.x, tip.y - 9, ground);
}

/**
 * Write each point's iteration where there is room.
 * @param {CanvasRenderingContext2D} context @param {number} count
 * @param {(i: number) => { x: number, y: number }} at @param {string} font
 */
function number(context, count, at, font) {
  context.font = `11px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const { x, y } = at(i);
    if (Math.abs(x - last) < 12) continue;
    last = x;
    context.fillText(String(i + 1), x, y + 7);
  }
}

/**
 * @param {CanvasRenderingContext2D} context @param {{ x: number, y: number }} place
 * @param {number} radius
 */
function dot(context, { x, y }, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** @param {Cloud} cloud @param {number} i */
function radiusOf({ sizes }, i) {
  return LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * sizes[i];
}

/**
 * @param {CanvasRenderingContext2D} context @param {Float32Array} points
 * @param {number} i @param {PlaneFrame} frame @param {number} radius
 */
function circle(context, points, i, frame, radius) {
  const { x, y } = placeOf(frame, points, i);
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
}

/**
 * @param {CanvasRenderingContext2D} context @param {Cloud} cloud @param {number} i
 * @param {PlaneFrame} frame @param {string} color
 */
function ring(context, cloud, i, frame, color) {
  context.strokeStyle = color;
  circle(context, cloud.points, i, frame, radiusOf(cloud, i) + 4);
  context.stroke();
}
