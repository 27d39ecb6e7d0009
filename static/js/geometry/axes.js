/** A plot's frame: where values stand. Pure arithmetic: no DOM, no state. */

/**
 * @typedef {object} Axes
 * @property {number} left where x = 0 stands
 * @property {number} right where x = `xEnd` stands
 * @property {number} top where y = `yEnd` stands
 * @property {number} bottom where y = 0 stands
 * @property {number} xEnd
 * @property {number} yEnd
 */

/**
 * @param {Axes} axes
 * @param {number} x
 */
export function xAt({ left, right, xEnd }, x) {
  return left + (x / xEnd) * (right - left);
}

/**
 * @param {Axes} axes
 * @param {number} y
 */
export function yAt({ top, bottom, yEnd }, y) {
  return bottom - (y / yEnd) * (bottom - top);
}

/**
 * A function's graph from 0 to the end of the axis.
 * @param {Axes} axes
 * @param {(x: number) => number} f
 * @param {number} [steps]
 * @returns {string} for the `points` of an SVG polyline
 */
export function graphPoints(axes, f, steps = 96) {
  return Array.from({ length: steps + 1 }, (_, i) => {
    const x = (i / steps) * axes.xEnd;
    return `${xAt(axes, x).toFixed(2)},${yAt(axes, f(x)).toFixed(2)}`;
  }).join(" ");
}
