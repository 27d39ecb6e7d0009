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
 * @typedef {object} Axes
 * @property {number} left where x = 0 stands
 * @property {number} right where x = `xEnd` stands
 * @property {number} top where y = `yEnd` stands
 * @property {number} bottom where y = 0 stands
 * @property {number} xEnd
 * @property {number} yEnd
 */

/** @param {Axes} axes @param {number} x */
export function xAt({ left, right, xEnd }, x) {
  return left + (x / xEnd) * (right - left);
}

/** @param {Axes} axes @param {number} y */
export function yAt({ top, bottom, yEnd }, y) {
  return bottom - (y / yEnd) * (bottom - top);
}

/**
 * A function's graph from 0 to the end of the axis.
 * @param {Axes} axes @param {(x: number) => number} f @param {number} [steps]
 * @returns {string} for the `points` of an SVG polyline
 */
export function graphPoints(axes, f, steps = 96) {
  const xs = Array.from({ length: steps + 1 }, (_, i) => (i / steps) * axes.xEnd);
  return polyline(
    xs.map((x) => ({ x: xAt(axes, x), y: yAt(axes, f(x)) })),
    2,
  );
}

/**
 * @typedef {object} Frame
 * @property {number} left
 * @property {number} right
 * @property {number} top where `high` stands
 * @property {number} bottom where `low` stands
 * @property {number} low
 * @property {number} high
 */

/**
 * @param {number} index 0..count - 1; a single one stands in the middle
 * @param {number} count @param {Frame} frame
 */
export function stepX(index, count, { left, right }) {
  return count > 1 ? left + (index / (count - 1)) * (right - left) : (left + right) / 2;
}

/** @param {number} value @param {Frame} frame */
export function valueY(value, { top, bottom, low, high }) {
  return bottom - ((value - low) / (high - low)) * (bottom - top);
}

/**
 * Values over equal steps as a line.
 * @param {readonly number[]} values @param {Frame} frame
 * @returns {string} for the `points` of an SVG polyline
 */
export function linePoints(values, frame) {
  const { length } = values;
  return polyline(
    values.map((value, i) => ({ x: stepX(i, length, frame), y: valueY(value, frame) })),
    2,
  );
}

/**
 * @typedef {object} CurveFrame
 * @property {number} left where `low` stands
 * @property {number} right where `high` stands
 * @property {number} top where 1 stands
 * @property {number} bottom where 0 stands
 * @property {number} low the knob's least value
 * @property {number} high the knob's largest
 */

/** @param {CurveFrame} frame @param {number} value of the knob */
export function knobX({ left, right, low, high }, value) {
  return left + ((value - low) / (high - low)) * (right - left);
}

/** @param {Pick<CurveFrame, "top" | "bottom">} frame @param {number} share in 0..1 */
export function shareY({ top, bottom }, share) {
  return bottom - share * (bottom - top);
}

/**
 * The knob's value at a place of the picture.
 * @param {CurveFrame} frame @param {number} x
 * @returns {number} at least `low`, at most `high`
 */
export function knobAt({ left, right, low, high }, x) {
  const share = (x - left) / (right - left);
  return low + clamp(share, 0, 1) * (high - low);
}

/**
 * A curve of values in 0..1 over a knob.
 * @param {CurveFrame} frame @param {readonly number[]} knobs
 * @param {ArrayLike<number>} shares as many
 * @returns {string} for the `points` of an SVG polyline
 */
export function curvePoints(frame, knobs, shares) {
  return polyline(
    knobs.map((knob, i) => ({ x: knobX(frame, knob), y: shareY(frame, shares[i]) })),
  );
}

/**
 * The area below a curve.
 * @param {CurveFrame} frame
 * @param {readonly number[]} knobs at least one
 * @param {ArrayLike<number>} shares as many
 * @returns {string} for the `points` of an SVG polygon
 */
export function areaPoints(frame, knobs, shares) {
  const at = (/** @type {number} */ knob) =>
    polyline([{ x: knobX(frame, knob), y: frame.bottom }]);
  const last = knobs[knobs.length - 1];
  return `${at(knobs[0])} ${curvePoints(frame, knobs, shares)} ${at(last)}`;
}

// Values on a logarithmic axis, from the first of its ticks to the last.

/**
 * Ticks at 1 and 3 times powers of ten around values.
 * @param {number} least more than 0 @param {number} most
 * @returns {number[]} ascending, at least two; the first is not above `least`, the last
 *   not below `most`
 */
export function logTicks(least, most) {
  const tick = (/** @type {number} */ place) =>
    Number(`${place % 2 === 0 ? 1 : 3}e${Math.floor(place / 2)}`);
  let place = Math.floor(2 * Math.log10(least));
  if (tick(place + 1) <= least) place++;
  const ticks = [tick(place)];
  while (ticks.length < 2 || ticks[ticks.length - 1] < most) ticks.push(tick(++place));
  return ticks;
}

/**
 * @param {number} value those below the axis stand at its end
 * @param {Frame} frame `low` is more than 0
 */
export function logY(value, { top, bottom, low, high }) {
  const share = Math.log(Math.max(value, low) / low) / Math.log(high / low);
  return bottom - share * (bottom - top);
}

// A ROC curve whose rate of false alarms is logarithmic, since an alarm must be rare
// among unchanged images.

/** The least rate of false alarms that is drawn. */
export const LEAST = 0.001;

/**
 * Rates at which the diagonal is drawn, on which an alarm finds as many as it raises
 * falsely.
 */
const STEPS = 40;

/**
 * @typedef {object} RocFrame
 * @property {number} left where `LEAST` stands
 * @property {number} right where a rate of 1 stands
 * @property {number} top where a share of 1 stands
 * @property {number} bottom where 0 stands
 */

/**
 * @param {RocFrame} frame
 * @param {number} rate of false alarms; those below `LEAST` stand at the left edge
 */
export function rateX({ left, right }, rate) {
  const place = 1 - Math.log(Math.max(rate, LEAST)) / Math.log(LEAST);
  return left + place * (right - left);
}

/**
 * @param {RocFrame} frame
 * @param {readonly number[]} rates ascending
 * @param {readonly number[]} found as many; to which the end is added, where an alarm is
 *   raised for every image
 * @returns {string} for the `points` of an SVG polyline
 */
export function rocPoints(frame, rates, found) {
  return polyline(
    [...rates.map((rate, i) => [rate, found[i]]), [1, 1]].map(([rate, share]) => ({
      x: rateX(frame, rate),
      y: shareY(frame, share),
    })),
  );
}

/**
 * The diagonal: an alarm there finds as many as it raises falsely, so it tells nothing.
 * @param {RocFrame} frame
 */
export function blindPoints(frame) {
  const rates = Array.from({ length: STEPS }, (_, i) => LEAST ** (1 - i / STEPS));
  return rocPoints(frame, rates, rates);
}
