/**
 * Votes as arrows from zero, each as wide as its coupling; on top of them the arrows that
 * they make, and names and figures of which none lies on another.
 * @import { Line, Point } from "../geometry/labels.js"
 * @import { PlaneFrame } from "../geometry/plane.js"
 * @import { PlaneColors } from "./plane.js"
 */
import { placeLabels } from "../geometry/labels.js";
import { placeOf } from "../geometry/plane.js";
import { fixed } from "../lib/format.js";
import { shadesOf, tintOf } from "./tints.js";

const LEAST_WIDTH = 0.75;
const WIDTH = 12; // of a coupling of 1, on top of that
const HEAD = 2.2; // times the width
const LEAST_HEAD = 7;
const MADE = { width: 2.5, head: 9 }; // the arrows that votes make
const FONTS = { figure: 11, name: 13 }; // CSS px
const SPACE = 3; // on each side of words
const AWAY = 9; // from an arrow's tip to its name

/**
 * @typedef {object} Fan
 * @property {Float32Array} tips (count, 2)
 * @property {Float32Array} weights (count) couplings; below 0 they turn a vote around
 * @property {Float32Array} tints (count) in -1..1: against or with
 * @property {number} chosen the arrow that is; -1 for none
 * @property {number} pointed the arrow under the pointer; -1 for none
 * @property {readonly Made[]} made what the votes make, the last one on top
 * @property {{ text: string, places: readonly Point[] }} unit what the circle is called
 */

/**
 * @typedef {object} Made
 * @property {Float32Array} end (2)
 * @property {string} name
 * @property {string} color
 */

/**
 * @param {number} weight in -1..1
 * @returns {number} width of an arrow, in CSS pixels
 */
export function widthOf(weight) {
  return LEAST_WIDTH + WIDTH * Math.abs(weight);
}

/**
 * @param {CanvasRenderingContext2D} context @param {Fan} fan @param {PlaneFrame} frame
 * @param {PlaneColors} colors @param {string} font
 * @param {{ width: number, height: number }} size of the picture
 */
export function paintFan(context, fan, frame, colors, font, size) {
  const { tips, weights, tints, chosen, pointed, made, unit } = fan;
  const shades = shadesOf(colors.loss, colors.even, colors.gain);
  for (let i = weights.length - 1; i >= 0; i--) {
    context.strokeStyle = tintOf(shades, tints[i]);
    context.fillStyle = context.strokeStyle;
    paintArrow(context, frame, placeOf(frame, tips, i), widthOf(weights[i]));
  }
  context.lineWidth = 2;
  ring(context, fan, chosen, frame, colors.focus);
  ring(context, fan, pointed, frame, colors.text);
  for (const { end, color } of made) {
    context.strokeStyle = color;
    context.fillStyle = color;
    paintArrow(context, frame, placeOf(frame, end, 0), MADE.width, MADE.head);
  }
  context.textAlign = "center";
  context.textBaseline = "middle";
  const look = {
    figure: `${FONTS.figure}px ${font}`,
    name: `bold ${FONTS.name}px ${font}`,
  };
  const lineTo = (/** @type {Float32Array} */ ends, /** @type {number} */ i) =>
    /** @type {Line} */ ([frame, placeOf(frame, ends, i)]);
  const below = made.map(({ end }) => lineTo(end, 0));
  const votes = Array.from(weights, (_, i) => lineTo(tips, i));
  const words = [
    ...made
      .map(({ end, name, color }) => ({
        text: name,
        color,
        font: look.name,
        isNeeded: true,
        avoids: [...below, ...votes],
        places: (/** @type {number} */ width) =>
          aroundTip(placeOf(frame, end, 0), width),
      }))
      .reverse(),
    ...votes.map(([zero, tip], i) => ({
      text: fixed(weights[i], 2),
      color: colors.text,
      font: look.figure,
      avoids: below,
      places: () => [beyondTip(tip, zero)],
    })),
    {
      text: unit.text,
      color: colors.muted,
      font: look.figure,
      avoids: below,
      places: () => unit.places,
    },
  ];
  const labels = words.map(({ text, font: lettering, places, ...label }) => {
    context.font = lettering;
    const { width } = context.measureText(text);
    const height = lettering === look.name ? FONTS.name : FONTS.figure;
    return {
      ...label,
      width: width + 2 * SPACE,
      height: height + SPACE,
      places: places(width),
    };
  });
  placeLabels(labels, size).forEach((box, i) => {
    if (box === null) return;
    context.font = words[i].font;
    context.fillStyle = words[i].color;
    write(context, words[i].text, box.x, box.y, colors.surface);
  });
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
 * Above an arrow's tip, below it, beside it, and further off.
 * @param {Point} tip @param {number} width of its name
 * @returns {Point[]}
 */
function aroundTip({ x, y }, width) {
  const [up, aside] = [AWAY + FONTS.name / 2, AWAY + width / 2 + SPACE];
  return [
    { x, y: y - up },
    { x, y: y + up },
    { x: x + aside, y },
    { x: x - aside, y },
    { x, y: y - 2.5 * up },
    { x, y: y + 2.5 * up },
    { x: x + aside, y: y - up },
    { x: x + aside, y: y + up },
  ];
}

/**
 * Beyond a vote's tip, on its own line.
 * @param {Point} tip @param {Point} zero
 */
function beyondTip(tip, { x, y }) {
  const length = Math.hypot(tip.x - x, tip.y - y) || 1;
  return {
    x: tip.x + ((tip.x - x) / length) * 20,
    y: tip.y + ((tip.y - y) / length) * 12,
  };
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
