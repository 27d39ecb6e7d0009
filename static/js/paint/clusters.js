/**
 * Clusters of points in a plane: each a mean with its one-sigma ellipse, and one of
 * them with its points.
 * @import { PlaneFrame } from "../geometry/plane.js"
 */
import { placeOf } from "../geometry/plane.js";

const LEAST_RADIUS = 1.5;
const MOST_RADIUS = 6; // of a point of size 1
const FAINT = 0.12;

/** @typedef {Record<"text" | "muted" | "line" | "accent" | "focus" | "surface", string>} ClusterColors */

/**
 * @typedef {object} Cluster
 * @property {number} x of its mean
 * @property {number} y
 * @property {{ long: number, short: number, angle: number }} ellipse
 * @property {string} name
 */

/**
 * @typedef {object} Points
 * @property {Float32Array} places (count, 2)
 * @property {ArrayLike<number>} sizes (count) in 0..1
 * @property {ArrayLike<number>} weights (count) in 0..1: how strongly each is drawn
 */

/**
 * Paint points faintly, as a background.
 * @param {CanvasRenderingContext2D} context
 * @param {Float32Array} places (count, 2)
 * @param {PlaneFrame} frame @param {string} color
 */
export function paintDust(context, places, frame, color) {
  context.fillStyle = color;
  context.globalAlpha = 0.35;
  for (let i = 0; i < places.length / 2; i++) {
    const { x, y } = placeOf(frame, places, i);
    context.fillRect(x - 0.75, y - 0.75, 1.5, 1.5);
  }
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context @param {Points} points
 * @param {PlaneFrame} frame @param {ClusterColors} colors
 * @param {{ chosen: number, pointed: number }} marked points; -1 for none
 */
export function paintPoints(context, points, frame, colors, { chosen, pointed }) {
  const { weights } = points;
  context.fillStyle = colors.accent;
  context.strokeStyle = colors.accent;
  context.lineWidth = 1;
  for (let i = 0; i < weights.length; i++) {
    circle(context, points, i, frame, 0);
    context.globalAlpha = Math.sqrt(weights[i]);
    context.fill();
    context.globalAlpha = Math.max(FAINT * 2, Math.sqrt(weights[i]));
    context.stroke();
  }
  context.globalAlpha = 1;
  context.lineWidth = 2.5;
  for (const [i, color] of /** @type {const} */ ([
    [chosen, colors.focus],
    [pointed, colors.text],
  ])) {
    if (i < 0) continue;
    context.strokeStyle = color;
    circle(context, points, i, frame, 4);
    context.stroke();
  }
}

/**
 * @param {CanvasRenderingContext2D} context @param {Cluster} cluster
 * @param {PlaneFrame} frame
 * @param {{ color: string, ground: string, font: string, isChosen: boolean }} look
 */
export function paintCluster(
  context,
  cluster,
  frame,
  { color, ground, font, isChosen },
) {
  const x = frame.x + cluster.x * frame.unit;
  const y = frame.y - cluster.y * frame.unit;
  const { long, short, angle } = cluster.ellipse;
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineWidth = isChosen ? 2.5 : 1;
  context.globalAlpha = isChosen ? 1 : 0.6;
  context.beginPath();
  context.ellipse(x, y, long * frame.unit, short * frame.unit, -angle, 0, 2 * Math.PI);
  context.stroke();
  if (isChosen) {
    context.globalAlpha = FAINT;
    context.fill();
  }
  context.globalAlpha = 1;
  context.font = isChosen ? `bold 17px ${font}` : `12px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 4;
  context.strokeStyle = ground;
  context.strokeText(cluster.name, x, y);
  context.fillText(cluster.name, x, y);
}

/**
 * The way that a mean has come, a dot for each iteration.
 * @param {CanvasRenderingContext2D} context
 * @param {Float32Array} path (iterations, 2)
 * @param {PlaneFrame} frame @param {string} color
 */
export function paintWay(context, path, frame, color) {
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineWidth = 1.5;
  context.globalAlpha = 0.6;
  const means = Array.from({ length: path.length / 2 }, (_, i) =>
    placeOf(frame, path, i),
  );
  context.beginPath();
  for (const { x, y } of means) context.lineTo(x, y);
  context.stroke();
  for (const { x, y } of means) {
    context.beginPath();
    context.arc(x, y, 2.5, 0, 7);
    context.fill();
  }
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context @param {Points} points @param {number} i
 * @param {PlaneFrame} frame
 * @param {number} beyond its radius
 */
function circle(context, { places, sizes }, i, frame, beyond) {
  const { x, y } = placeOf(frame, places, i);
  const radius = LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * sizes[i] + beyond;
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
}
