/** Boxes in a picture: left, top, right and bottom, in parts of its width and height. */
import { clamp } from "../lib/arithmetic.js";

/** @typedef {readonly [left: number, top: number, right: number, bottom: number]} Box */
/** @typedef {0 | 1 | 2 | 3} Edge which of a box's four numbers */

/** @type {Box} */
export const WHOLE = [0, 0, 1, 1];

/** Parts of the picture; a box is at least as wide and high. */
export const LEAST = 0.05;

/** Decimals of a box's numbers: a thousandth of a picture is less than a pixel. */
const DECIMALS = 3;

/** @param {Box} box */
export function isWhole(box) {
  return box.every((value, edge) => value === WHOLE[edge]);
}

/**
 * Move a box as far as the picture lets it.
 * @param {Box} box
 * @param {number} across to the right
 * @param {number} down
 * @returns {Box}
 */
export function moved([left, top, right, bottom], across, down) {
  const x = clamp(across, -left, 1 - right);
  const y = clamp(down, -top, 1 - bottom);
  return rounded([left + x, top + y, right + x, bottom + y]);
}

/**
 * Put one edge elsewhere, as far as the picture and the opposite edge let it.
 * @param {Box} box
 * @param {Edge} edge
 * @param {number} to
 * @returns {Box}
 */
export function withEdge(box, edge, to) {
  const [low, high] = edgeRange(box, edge);
  /** @type {[number, number, number, number]} */
  const changed = [...box];
  changed[edge] = clamp(to, low, high);
  return rounded(changed);
}

/**
 * Between which values an edge can be.
 * @param {Box} box
 * @param {Edge} edge
 * @returns {[low: number, high: number]}
 */
export function edgeRange(box, edge) {
  return edge < 2 ? [0, box[edge + 2] - LEAST] : [box[edge - 2] + LEAST, 1];
}

/**
 * The box between two opposite corners.
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} to
 * @returns {Box | null} null when it is too small to be meant
 */
export function spanned(from, to) {
  const [left, right] = [from.x, to.x].map(inPicture).sort(ascending);
  const [top, bottom] = [from.y, to.y].map(inPicture).sort(ascending);
  if (right - left < LEAST || bottom - top < LEAST) return null;
  return rounded([left, top, right, bottom]);
}

/** @param {number} value */
function inPicture(value) {
  return clamp(value, 0, 1);
}

/** @param {number} a @param {number} b */
function ascending(a, b) {
  return a - b;
}

/**
 * @param {Box} box
 * @returns {Box}
 */
function rounded([left, top, right, bottom]) {
  return [round(left), round(top), round(right), round(bottom)];
}

/** @param {number} value */
function round(value) {
  return Number(value.toFixed(DECIMALS));
}
