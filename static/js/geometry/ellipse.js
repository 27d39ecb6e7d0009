/** The one-sigma ellipse of a Gaussian, seen in a plane. Pure arithmetic: no DOM, no state. */

/**
 * @typedef {object} Spread covariance in a plane
 * @property {number} xx
 * @property {number} xy
 * @property {number} yy
 */

/**
 * The covariance, in a plane, of a Gaussian whose axes are those of its space.
 * @param {ArrayLike<number>} deviations along the axes
 * @param {ArrayLike<number>} right the plane's first direction, of length 1
 * @param {ArrayLike<number>} up its second, at a right angle to the first
 * @returns {Spread}
 */
export function spreadInPlane(deviations, right, up) {
  const spread = { xx: 0, xy: 0, yy: 0 };
  for (let h = 0; h < deviations.length; h++) {
    const variance = deviations[h] ** 2;
    spread.xx += variance * right[h] * right[h];
    spread.xy += variance * right[h] * up[h];
    spread.yy += variance * up[h] * up[h];
  }
  return spread;
}

/**
 * @param {Spread} spread
 * @returns {{ long: number, short: number, angle: number }} half axes, and the direction of
 *   the longer one, counterclockwise from the right in radians
 */
export function ellipseOf({ xx, xy, yy }) {
  const middle = (xx + yy) / 2;
  const reach = Math.hypot((xx - yy) / 2, xy);
  return {
    long: Math.sqrt(middle + reach),
    short: Math.sqrt(Math.max(0, middle - reach)),
    angle: Math.atan2(2 * xy, xx - yy) / 2,
  };
}
