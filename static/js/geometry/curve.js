/** A curve of values in 0..1 over a knob. Pure arithmetic: no DOM, no state. */

/**
 * @typedef {object} CurveFrame
 * @property {number} left where `low` stands
 * @property {number} right where `high` stands
 * @property {number} top where 1 stands
 * @property {number} bottom where 0 stands
 * @property {number} low the knob's least value
 * @property {number} high the knob's largest
 */

/**
 * @param {CurveFrame} frame
 * @param {number} value of the knob
 */
export function knobX({ left, right, low, high }, value) {
  return left + ((value - low) / (high - low)) * (right - left);
}

/**
 * @param {CurveFrame} frame
 * @param {number} share in 0..1
 */
export function shareY({ top, bottom }, share) {
  return bottom - share * (bottom - top);
}

/**
 * The knob's value at a place of the picture.
 * @param {CurveFrame} frame
 * @param {number} x
 * @returns {number} at least `low`, at most `high`
 */
export function knobAt({ left, right, low, high }, x) {
  const share = (x - left) / (right - left);
  return low + Math.min(Math.max(share, 0), 1) * (high - low);
}

/**
 * @param {CurveFrame} frame
 * @param {readonly number[]} knobs
 * @param {ArrayLike<number>} shares as many
 * @returns {string} for the `points` of an SVG polyline
 */
export function curvePoints(frame, knobs, shares) {
  return knobs
    .map((knob, i) => {
      const [x, y] = [knobX(frame, knob), shareY(frame, shares[i])];
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(" ");
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
    `${knobX(frame, knob).toFixed(1)},${frame.bottom.toFixed(1)}`;
  const last = knobs[knobs.length - 1];
  return `${at(knobs[0])} ${curvePoints(frame, knobs, shares)} ${at(last)}`;
}
