/**
 * Ribbons with their nodes and names: a flow from left to right.
 * @import { Ribbons } from "../geometry/ribbons.js"
 */
import { spread } from "../geometry/ribbons.js";
import { areLong } from "../lib/format.js";
import { shadesOf, tintOf } from "./tints.js";

const NODE = 8; // wide
const BESIDE = 7; // from a target to its name
const ROOM_FOR_NOTES = 76;
const NUMBER = 10; // from one source's number to the next, at least
const MARK = 0.05; // of a pixel; what covers less leaves no mark
const THIN = 1; // pixels; up to here a curved line looks the same and is drawn sooner
const FAINT = 0.22;
const FAINT_BUT_TOLD = 0.35;
const CHOSEN = 0.6;
const STRONG = 0.95;

/**
 * @typedef {object} FlowPicture
 * @property {Ribbons} ribbons
 * @property {ArrayLike<number>} tints (sources, targets) -1..1: less than even, even, more
 * @property {readonly [less: string, more: string]} [ends] colours in place of those of
 *   less and more, where all ribbons stand out
 * @property {boolean} isEven whether most ribbons are near even, so that those out of
 *   focus may only be hinted at
 * @property {number} target the one in focus
 * @property {number} source the chosen one
 * @property {number} pointed the ribbon under the pointer; -1 for none
 * @property {readonly string[]} names of the targets
 * @property {readonly string[]} notes beside the targets' names
 * @property {string} font family of the numbers
 */

/** @typedef {Record<"text" | "muted" | "accent" | "focus" | "gain" | "even" | "loss", string>} FlowColors */

/**
 * @param {CanvasRenderingContext2D} context @param {FlowPicture} picture
 * @param {FlowColors} colors
 */
export function paintRibbons(context, picture, colors) {
  const { ribbons, ends, isEven, target, source, pointed } = picture;
  const faint = ends ? CHOSEN : isEven ? FAINT : FAINT_BUT_TOLD;
  const [less, more] = ends ?? [colors.loss, colors.gain];
  const { targets, width } = ribbons;
  const shades = shadesOf(less, colors.even, more);
  // In the order in which they must not hide each other.
  for (let k = 0; k < width.length; k++) {
    const isChosen = Math.floor(k / targets) === source;
    if (k % targets === target) continue;
    fillRibbon(context, picture, k, isChosen ? CHOSEN : faint, shades);
  }
  for (let k = target; k < width.length; k += targets)
    fillRibbon(context, picture, k, STRONG, shades);
  outline(context, ribbons, source * targets + target, colors.focus);
  if (pointed >= 0) outline(context, ribbons, pointed, colors.text);
  paintSources(context, picture, colors);
  paintTargets(context, picture, colors);
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context @param {FlowPicture} picture
 * @param {number} k @param {number} strength @param {readonly string[]} shades
 */
function fillRibbon(context, { ribbons, tints }, k, strength, shades) {
  const width = ribbons.width[k];
  if (width * strength < MARK) return;
  const color = tintOf(shades, tints[k]);
  context.globalAlpha = strength;
  if (width <= THIN) {
    line(context, ribbons, k);
    context.lineWidth = width;
    context.strokeStyle = color;
    context.stroke();
  } else {
    trace(context, ribbons, k);
    context.fillStyle = color;
    context.fill();
  }
}

/**
 * @param {CanvasRenderingContext2D} context @param {Ribbons} ribbons @param {number} k
 * @param {string} color
 */
function outline(context, ribbons, k, color) {
  trace(context, ribbons, k);
  context.globalAlpha = 1;
  context.lineWidth = 1.5;
  context.strokeStyle = color;
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context @param {Ribbons} ribbons @param {number} k
 */
function line(context, { left, right, from, to, width }, k) {
  const middle = (left + right) / 2;
  const [a, b] = [from[k] + width[k] / 2, to[k] + width[k] / 2];
  context.beginPath();
  context.moveTo(left, a);
  context.bezierCurveTo(middle, a, middle, b, right, b);
}

/**
 * @param {CanvasRenderingContext2D} context @param {Ribbons} ribbons @param {number} k
 */
function trace(context, { left, right, from, to, width }, k) {
  const middle = (left + right) / 2;
  const [a, b, w] = [from[k], to[k], width[k]];
  context.beginPath();
  context.moveTo(left, a);
  context.bezierCurveTo(middle, a, middle, b, right, b);
  context.lineTo(right, b + w);
  context.bezierCurveTo(middle, b + w, middle, a + w, left, a + w);
  context.closePath();
}

/**
 * @param {CanvasRenderingContext2D} context @param {FlowPicture} picture
 * @param {FlowColors} colors
 */
function paintSources(context, { ribbons, source, font }, colors) {
  const { left, sourceY, sourceHeight } = ribbons;
  context.globalAlpha = 1;
  context.textAlign = "right";
  context.textBaseline = "middle";
  const last = sourceY.length - 1;
  const middles = sourceY.map((top, i) => top + sourceHeight[i] / 2);
  const [low, high] = [sourceY[0], sourceY[last] + sourceHeight[last]];
  const places = spread(middles, NUMBER, low, high);
  for (let i = 0; i < sourceY.length; i++) {
    const isChosen = i === source;
    context.fillStyle = isChosen ? colors.focus : colors.muted;
    context.font = `${isChosen ? "bold 12px" : "10px"} ${font}`;
    bar(context, left - NODE, sourceY[i], sourceHeight[i]);
    context.fillText(String(i), left - NODE - 5, places[i]);
  }
}

/**
 * The room that names and notes need beside the targets, in CSS pixels: what they take
 * when their target is in focus.
 * @param {CanvasRenderingContext2D} context
 * @param {Pick<FlowPicture, "names" | "font">} picture
 */
export function roomForNames(context, { names, font }) {
  context.font = fontOfName(names, font, true);
  const widest = Math.max(...names.map((name) => context.measureText(name).width));
  return Math.max(ROOM_FOR_NOTES, Math.ceil(widest) + NODE + BESIDE);
}

/** @param {readonly string[]} names @param {string} font @param {boolean} isFocused */
function fontOfName(names, font, isFocused) {
  const [large, small] = areLong(names) ? [13, 12] : [20, 17];
  return isFocused ? `bold ${large}px ${font}` : `${small}px ${font}`;
}

/**
 * @param {CanvasRenderingContext2D} context @param {FlowPicture} picture
 * @param {FlowColors} colors
 */
function paintTargets(context, { ribbons, target, names, notes, font }, colors) {
  const { right, targetY, targetHeight } = ribbons;
  context.textAlign = "left";
  for (let j = 0; j < targetY.length; j++) {
    const isFocused = j === target;
    const middle = targetY[j] + targetHeight[j] / 2;
    context.fillStyle = isFocused ? colors.accent : colors.muted;
    bar(context, right, targetY[j], targetHeight[j]);
    context.font = fontOfName(names, font, isFocused);
    context.fillText(names[j], right + NODE + BESIDE, middle - 7);
    context.font = `11px ${font}`;
    context.fillText(notes[j], right + NODE + BESIDE, middle + 10);
  }
}

/**
 * @param {CanvasRenderingContext2D} context @param {number} x @param {number} y
 * @param {number} height
 */
function bar(context, x, y, height) {
  context.fillRect(x, y, NODE, Math.max(1, height));
}
