/**
 * A ROC curve whose rate of false alarms is logarithmic, since an alarm must be rare among
 * unchanged images. Pure arithmetic: no DOM, no state.
 */

/** The least rate of false alarms that is drawn. */
export const LEAST = 0.001;

/** Rates at which the diagonal, where as many are found as raised for nothing, is drawn. */
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
 * @param {number} share that is found, in 0..1
 */
export function foundY({ top, bottom }, share) {
  return bottom - share * (bottom - top);
}

/**
 * @param {RocFrame} frame
 * @param {readonly number[]} rates ascending
 * @param {readonly number[]} found as many; to which the end is added, where an alarm is
 *   raised for every image
 * @returns {string} for the `points` of an SVG polyline
 */
export function rocPoints(frame, rates, found) {
  return [...rates.map((rate, i) => [rate, found[i]]), [1, 1]]
    .map(([rate, share]) => [rateX(frame, rate), foundY(frame, share)])
    .map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`)
    .join(" ");
}

/**
 * Where an alarm tells nothing: it finds as many as it raises for nothing.
 * @param {RocFrame} frame
 */
export function blindPoints(frame) {
  const rates = Array.from({ length: STEPS }, (_, i) => LEAST ** (1 - i / STEPS));
  return rocPoints(frame, rates, rates);
}
