/**
 * Clusters of points in a plane: each a mean with its one-sigma ellipse, and one of
 * them with its points.
 * @import { PlaneFrame } from "../geometry/plane.js"
 */
import { placeOf } from "../geometry/plane.js";
import { clamp } from "../lib/arithmetic.js";

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

const GAP = 6;
const LEFT = 24; // room for the rows' numbers
const TOP = 20; // and for the columns' names
const BOTTOM = 16; // and for the ends of the axis

/** @typedef {Record<"text" | "muted" | "line" | "accent" | "focus", string>} HistogramColors */

/**
 * @typedef {object} Histograms
 * @property {Float64Array[][]} bars [row][column] sums, bin by bin
 * @property {number[][]} means [row][column] a mark on the axis; not a number for none
 * @property {number} high where the axis ends
 * @property {number} most the sum as high as its cell
 * @property {readonly string[]} names of the columns
 * @property {number} row that is on show
 * @property {number} column that is in focus
 */

/**
 * Where the histogram of a row and a column stands.
 * @param {{ width: number, height: number }} size of the picture
 * @param {{ rows: number, columns: number }} count
 */
export function histogramCells({ width, height }, { rows, columns }) {
  const across = (width - LEFT) / columns;
  const down = (height - TOP - BOTTOM) / rows;
  return {
    boxOf: (/** @type {number} */ row, /** @type {number} */ column) => ({
      x: LEFT + column * across + GAP / 2,
      y: TOP + row * down + GAP / 2,
      width: across - GAP,
      height: down - GAP,
    }),
    /** @param {number} x @param {number} y @returns {{ row: number, column: number }} */
    at: (x, y) => ({
      row: clamp(Math.floor((y - TOP) / down), 0, rows - 1),
      column: clamp(Math.floor((x - LEFT) / across), 0, columns - 1),
    }),
  };
}

/**
 * Paint many small histograms, a row for each iteration, a column for each group.
 * @param {CanvasRenderingContext2D} context @param {Histograms} histograms
 * @param {{ width: number, height: number }} size @param {HistogramColors} colors
 * @param {string} font
 */
export function paintHistograms(context, histograms, size, colors, font) {
  const { bars, names, row: shown, column: focused } = histograms;
  const cells = histogramCells(size, { rows: bars.length, columns: names.length });
  context.textBaseline = "middle";
  context.textAlign = "center";
  names.forEach((name, column) => {
    const box = cells.boxOf(0, column);
    context.fillStyle = column === focused ? colors.accent : colors.muted;
    context.font = `${column === focused ? "bold " : ""}12px ${font}`;
    context.fillText(name, box.x + box.width / 2, TOP / 2, box.width + GAP);
  });
  bars.forEach((columns, row) => {
    const { y, height } = cells.boxOf(row, 0);
    context.fillStyle = row === shown ? colors.text : colors.muted;
    context.font = `${row === shown ? "bold " : ""}12px ${font}`;
    context.fillText(String(row + 1), LEFT / 2, y + height / 2);
    columns.forEach((bins, column) => {
      const box = cells.boxOf(row, column);
      const isLit = row === shown && column === focused;
      paintOne(context, { bins, mean: histograms.means[row][column] }, box, {
        ...histograms,
        fill: column === focused ? colors.accent : colors.muted,
        line: colors.line,
        mark: colors.text,
      });
      if (isLit) outline(context, box, colors.focus);
    });
  });
  const last = cells.boxOf(bars.length - 1, 0);
  context.fillStyle = colors.muted;
  context.font = `10px ${font}`;
  const under = last.y + last.height + BOTTOM / 2 + 2;
  context.textAlign = "left";
  context.fillText("0", last.x, under);
  context.textAlign = "right";
  context.fillText(String(histograms.high), last.x + last.width, under);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ bins: Float64Array, mean: number }} one
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {{ most: number, high: number, fill: string, line: string, mark: string }} look
 */
function paintOne(context, { bins, mean }, box, { most, high, fill, line, mark }) {
  context.strokeStyle = line;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(box.x, box.y + box.height);
  context.lineTo(box.x + box.width, box.y + box.height);
  context.stroke();
  context.fillStyle = fill;
  const step = box.width / bins.length;
  bins.forEach((sum, i) => {
    const tall = (sum / most) * box.height;
    if (sum > 0)
      context.fillRect(box.x + i * step, box.y + box.height - tall, step - 0.5, tall);
  });
  if (Number.isNaN(mean)) return;
  const x = box.x + Math.min(1, mean / high) * box.width;
  context.strokeStyle = mark;
  context.beginPath();
  context.moveTo(x, box.y + box.height - 4);
  context.lineTo(x, box.y + box.height + 3);
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {string} color
 */
function outline(context, { x, y, width, height }, color) {
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.strokeRect(x - 2, y - 2, width + 4, height + 4);
}
