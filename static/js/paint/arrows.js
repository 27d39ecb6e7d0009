/**
 * Votes as arrows from zero, each as wide as its coupling.
 * @import { PlaneFrame } from "../geometry/plane.js"
 * @import { CloudColors } from "./cloud.js"
 */
import { placeOf } from "../geometry/plane.js";
import { fixed } from "../lib/format.js";
import { shadesOf, tintOf } from "./tints.js";

const LEAST_WIDTH = 0.75;
const WIDTH = 12; // of a coupling of 1, on top of that
const HEAD = 2.2; // times the width
const LEAST_HEAD = 7;
const ROOM = { width: 30, height: 13 }; // that the figure at a tip takes
const NAME_AWAY = 16; // from an arrow's end to the middle of its name
const NAME_ROOM = { width: 44, height: 16 }; // that a figure leaves around a name

/**
 * @typedef {object} Fan
 * @property {Float32Array} tips (count, 2)
 * @property {Float32Array} weights (count) couplings, in 0..1
 * @property {Float32Array} tints (count) in -1..1: against or with
 * @property {number} chosen the arrow that is; -1 for none
 * @property {number} pointed the arrow under the pointer; -1 for none
 * @property {readonly Named[]} named the arrows that have names
 */

/**
 * @typedef {object} Named
 * @property {Float32Array} end (2)
 * @property {boolean} below where its name stands; else above
 */

/**
 * @param {number} weight in 0..1
 * @returns {number} width of an arrow, in CSS pixels
 */
export function widthOf(weight) {
  return LEAST_WIDTH + WIDTH * weight;
}

/**
 * @param {CanvasRenderingContext2D} context @param {Fan} fan @param {PlaneFrame} frame
 * @param {CloudColors} colors @param {string} font
 */
export function paintFan(context, fan, frame, colors, font) {
  const { tips, weights, tints, chosen, pointed, named } = fan;
  const shades = shadesOf(colors.loss, colors.even, colors.gain);
  for (let i = weights.length - 1; i >= 0; i--) {
    context.strokeStyle = tintOf(shades, tints[i]);
    context.fillStyle = context.strokeStyle;
    paintArrow(context, frame, placeOf(frame, tips, i), widthOf(weights[i]));
  }
  context.lineWidth = 2;
  ring(context, fan, chosen, frame, colors.focus);
  ring(context, fan, pointed, frame, colors.text);
  context.font = `11px ${font}`;
  context.fillStyle = colors.text;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { i, x, y } of placesOfFigures(tips, named, frame))
    write(context, fixed(weights[i], 2), x, y, colors.surface);
}

/**
 * Words that stay legible on lines, for what surrounds them is the ground.
 * @param {CanvasRenderingContext2D} context @param {string} text
 * @param {number} x @param {number} y @param {string} ground
 */
export function write(context, text, x, y, ground) {
  context.strokeStyle = ground;
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

/**
 * Where each arrow's figure stands, beyond its tip; only those with room of their own.
 * @param {Float32Array} tips (count, 2), the most important first
 * @param {readonly Named[]} named arrows whose names take room, too
 * @param {PlaneFrame} frame
 * @returns {{ i: number, x: number, y: number }[]}
 */
export function placesOfFigures(tips, named, frame) {
  /** @type {{ i: number, x: number, y: number }[]} */
  const placed = [];
  const names = named.map(({ end, below }) => {
    const { x, y } = placeOf(frame, end, 0);
    return { x, y: below ? y + NAME_AWAY : y - NAME_AWAY };
  });
  for (let i = 0; i < tips.length / 2; i++) {
    const tip = placeOf(frame, tips, i);
    const length = Math.hypot(tip.x - frame.x, tip.y - frame.y) || 1;
    const x = tip.x + ((tip.x - frame.x) / length) * 20;
    const y = tip.y + ((tip.y - frame.y) / length) * 12;
    const place = { i, x, y };
    const isFree =
      placed.every((other) => areApart(place, other, ROOM)) &&
      names.every((name) => areApart(place, name, NAME_ROOM));
    if (isFree) placed.push(place);
  }
  return placed;
}

/** @typedef {{ x: number, y: number }} Point */

/**
 * @param {Point} one @param {Point} other
 * @param {{ width: number, height: number }} room
 */
function areApart(one, other, { width, height }) {
  return Math.abs(other.x - one.x) >= width || Math.abs(other.y - one.y) >= height;
}

/**
 * An arrow whose head ends exactly at its tip.
 * @param {CanvasRenderingContext2D} context @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} tip @param {number} width
 */
export function paintArrow(context, from, tip, width, leastHead = LEAST_HEAD) {
  const [x, y] = [tip.x - from.x, tip.y - from.y];
  const length = Math.hypot(x, y);
  if (length === 0) return;
  // No head is longer than its arrow.
  const head = Math.min(length, Math.max(leastHead, HEAD * width));
  const [a, b] = [(x / length) * head, (y / length) * head];
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(tip.x - 0.8 * a, tip.y - 0.8 * b);
  context.stroke();
  context.beginPath();
  context.moveTo(tip.x, tip.y);
  context.lineTo(tip.x - a - b / 2, tip.y - b + a / 2);
  context.lineTo(tip.x - a + b / 2, tip.y - b - a / 2);
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context @param {Fan} fan
 * @param {number} i -1 for none
 * @param {PlaneFrame} frame @param {string} color
 */
function ring(context, { tips }, i, frame, color) {
  if (i < 0) return;
  const { x, y } = placeOf(frame, tips, i);
  context.strokeStyle = color;
  context.beginPath();
  context.arc(x, y, 7, 0, 2 * Math.PI);
  context.stroke();
}
