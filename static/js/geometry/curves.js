/**
 * Curves on a plot: where values stand in its frame, and the points of lines. Pure
 * arithmetic: no DOM, no state.
 */
import { clamp } from "../lib/arithmetic.js";

/**
 * @param {readonly { x: number, y: number }[]} points @param {number} [decimals]
 * @returns {string} for the `points` of an SVG polyline
 */
export function polyline(points, decimals = 1) {
  return points
    .map(({ x, y }) => `${x.toFixed(decimals)},${y.toFixed(decimals)}`)
    .join(" ");
}

/**
 * @typedef {object} Axis
 * @property {number} from where `low` stands in the picture
 * @property {number} to where `high` stands
 * @property {number} low
 * @property {number} high as low: its only value stands in the middle
 * @property {boolean} [isLog] logarithmic: `low` is more than 0, and what is less stands there
 */

/** @typedef {{ x: Axis, y: Axis }} Axes */

/**
 * The axes of a plot: across from left to right, upward from bottom to top.
 * @param {{ left: number, right: number, top: number, bottom: number }} frame
 * @param {Omit<Axis, "from" | "to">} x @param {Omit<Axis, "from" | "to">} y
 * @returns {Axes}
 */
export const axesIn = ({ left, right, top, bottom }, x, y) => ({
  x: { ...x, from: left, to: right },
  y: { ...y, from: bottom, to: top },
});

/** Where a value stands. @param {Axis} axis @param {number} value */
export function placeOn({ from, to, low, high, isLog }, value) {
  if (low === high) return (from + to) / 2;
  const share = isLog
    ? Math.log(Math.max(value, low) / low) / Math.log(high / low)
    : (value - low) / (high - low);
  return from + share * (to - from);
}

/**
 * The value at a place of the picture.
 * @param {Omit<Axis, "isLog">} axis @param {number} position
 * @returns {number} at least `low`, at most `high`
 */
export function valueOn({ from, to, low, high }, position) {
  return low + clamp((position - from) / (to - from), 0, 1) * (high - low);
}

/**
 * @param {Axes} axes
 * @param {readonly number[]} xs @param {ArrayLike<number>} ys as many
 * @param {number} [decimals]
 * @returns {string} for the `points` of an SVG polyline
 */
export const linePoints = (axes, xs, ys, decimals) =>
  polyline(
    xs.map((x, i) => ({ x: placeOn(axes.x, x), y: placeOn(axes.y, ys[i]) })),
    decimals,
  );

/**
 * The area below a line.
 * @param {Axes} axes
 * @param {readonly number[]} xs at least one
 * @param {ArrayLike<number>} ys as many
 * @returns {string} for the `points` of an SVG polygon
 */
export function areaPoints(axes, xs, ys) {
  const [first, last] = [xs[0], xs[xs.length - 1]].map((x) =>
    linePoints(axes, [x], [axes.y.low]),
  );
  return `${first} ${linePoints(axes, xs, ys)} ${last}`;
}

/**
 * Ticks at 1 and 3 times powers of ten around values.
 * @param {number} least more than 0 @param {number} most
 * @returns {number[]} ascending, at least two; the first is not above `least`, the last
 *   not below `most`
 */
export function logTicks(least, most) {
  const tick = (/** @type {number} */ index) =>
    Number(`${index % 2 === 0 ? 1 : 3}e${Math.floor(index / 2)}`);
  let index = Math.floor(2 * Math.log10(least));
  if (tick(index + 1) <= least) index++;
  const ticks = [tick(index)];
  while (ticks.length < 2 || ticks[ticks.length - 1] < most) ticks.push(tick(++index));
  return ticks;
}
