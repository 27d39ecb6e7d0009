/**
 * Rows of discs along one axis from zero, each row with its name at the left and a value at
 * the right.
 * @import { PlaneFrame } from "../geometry/plane.js"
 * @import { Stage } from "../ui/stage.js"
 */
import { sum } from "../lib/arithmetic.js";
import { isolated, unisolated } from "../lib/format.js";

const LEAST_RADIUS = 1.5;
const MOST_RADIUS = 6; // of a disc of size 1
const FAINT = 0.2; // a disc of no weight
const SPREAD = 0.55; // of a row's height: where discs stand, so that more of them are seen
const GOLDEN = 0.618; // of one disc after the other: near ones stand at different heights
const AXIS = 34; // CSS px below the rows
const VALUE = 52; // at the right of them
const LETTER = 8;

/**
 * @typedef {object} VoteRow
 * @property {string} name
 * @property {boolean} isFocused
 * @property {Float32Array} places (count) along the axis
 * @property {Float32Array} weights (count) in 0..1: how strongly each is drawn
 * @property {string} value
 */

/**
 * @param {Stage<"text" | "muted" | "line" | "accent" | "focus">} stage
 * @param {object} shown
 * @param {readonly VoteRow[]} shown.rows
 * @param {ArrayLike<number>} shown.sizes (count) in 0..1
 * @param {{ high: number, name: string, value: string }} shown.axis
 * @param {{ chosen: number, pointed: number }} shown.marked discs of the row in focus; -1
 *   for none
 * @returns {PlaneFrame} of the row in focus: its middle is the line of 0
 */
export function paintVoteRows(
  { context, width, height, colors, font },
  { rows, sizes, axis, marked },
) {
  const longest = Math.max(...rows.map(({ name }) => name.length));
  const left = Math.min(width / 3, 14 + LETTER * longest);
  const unit = (width - left - VALUE) / axis.high;
  const pitch = (height - AXIS) / rows.length;
  const middleOf = (/** @type {number} */ row) => (row + 0.5) * pitch;
  const lift = (/** @type {number} */ i) => (((i * GOLDEN) % 1) - 0.5) * SPREAD * pitch;

  context.textBaseline = "middle";
  context.font = `11px ${font}`;
  paintAxis();
  rows.forEach(({ name, isFocused, places, weights, value }, row) => {
    const y = middleOf(row);
    const color = isFocused ? colors.accent : colors.muted;
    context.font = `${isFocused ? "bold " : ""}13px ${font}`;
    context.fillStyle = isFocused ? colors.accent : colors.text;
    context.textAlign = "right";
    context.fillText(fitted(context, name, left - 12), left - 10, y);
    context.textAlign = "left";
    context.fillText(value, width - VALUE + 10, y);
    context.fillStyle = color;
    context.strokeStyle = color;
    context.lineWidth = 1;
    for (let i = 0; i < places.length; i++) {
      if (places[i] > axis.high) continue;
      const strength = Math.sqrt(weights[i]);
      disc(left + places[i] * unit, y + lift(i), radiusOf(i));
      context.globalAlpha = strength;
      context.fill();
      context.globalAlpha = Math.max(FAINT, strength);
      context.stroke();
    }
    context.globalAlpha = 1;
    const mean = weightedMean(places, weights);
    if (mean === null || mean > axis.high) return;
    context.fillStyle = colors.text;
    context.fillRect(left + mean * unit - 1, y - pitch / 2 + 2, 2, pitch - 4);
  });
  const focused = rows.findIndex(({ isFocused }) => isFocused);
  const y = middleOf(focused);
  context.lineWidth = 2.5;
  for (const [i, color] of /** @type {const} */ ([
    [marked.chosen, colors.focus],
    [marked.pointed, colors.text],
  ])) {
    if (i < 0 || rows[focused].places[i] > axis.high) continue;
    context.strokeStyle = color;
    disc(left + rows[focused].places[i] * unit, y + lift(i), radiusOf(i) + 4);
    context.stroke();
  }
  return { x: left, y, unit };

  /** Lines for whole distances, and what they are called. */
  function paintAxis() {
    const end = height - AXIS;
    const step = Math.ceil(axis.high / 8);
    context.strokeStyle = colors.line;
    context.fillStyle = colors.muted;
    context.lineWidth = 1;
    context.textAlign = "center";
    for (let at = 0; at <= axis.high; at += step) {
      const x = left + at * unit;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, end);
      context.stroke();
      context.fillText(String(at), x, end + 9);
    }
    context.textAlign = "left";
    context.fillText(axis.name, left, height - 8);
    context.fillText(axis.value, width - VALUE + 10, height - 8);
  }

  /** @param {number} i */
  function radiusOf(i) {
    const most = Math.min(MOST_RADIUS, pitch / 3);
    return LEAST_RADIUS + Math.max(0, most - LEAST_RADIUS) * sizes[i];
  }

  /** @param {number} x @param {number} y @param {number} radius */
  function disc(x, y, radius) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
}

/**
 * @param {Float32Array} values @param {Float32Array} weights
 * @returns {number | null} null where nothing has weight
 */
export function weightedMean(values, weights) {
  const whole = sum(weights);
  return whole > 0 ? sum(values.map((value, i) => value * weights[i])) / whole : null;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} name @param {number} room in CSS pixels
 * @returns {string} cut where it is longer
 */
function fitted(context, name, room) {
  const letters = [...unisolated(name)];
  const cut = () => isolated(`${letters.join("").trimEnd()}…`);
  if (context.measureText(name).width <= room) return name;
  while (letters.length > 1 && context.measureText(cut()).width > room) letters.pop();
  return cut();
}
