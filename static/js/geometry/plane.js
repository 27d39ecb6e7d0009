/**
 * Points of a plane on a picture: one scale for both directions, up is up. Pure
 * arithmetic: no DOM, no state.
 */

/**
 * @typedef {object} PlaneFrame
 * @property {number} x where 0 stands on the picture
 * @property {number} y
 * @property {number} unit length of 1 on the picture
 */

/**
 * The frame that shows all points, as large as can be.
 * @param {readonly Float32Array[]} clouds (count, 2) each; 0 is shown in any case
 * @param {{ width: number, height: number, margin: number }} picture
 * @returns {PlaneFrame}
 */
export function framePoints(clouds, { width, height, margin }) {
  let [left, right, low, high] = [0, 0, 0, 0];
  for (const points of clouds) {
    for (let i = 0; i < points.length; i += 2) {
      left = Math.min(left, points[i]);
      right = Math.max(right, points[i]);
      low = Math.min(low, points[i + 1]);
      high = Math.max(high, points[i + 1]);
    }
  }
  const across = (width - 2 * margin) / (right - left || 1);
  const upright = (height - 2 * margin) / (high - low || 1);
  const unit = Math.max(0, Math.min(across, upright));
  return {
    x: width / 2 - ((left + right) / 2) * unit,
    y: height / 2 + ((low + high) / 2) * unit,
    unit,
  };
}

/**
 * Where a point stands on the picture.
 * @param {PlaneFrame} frame
 * @param {Float32Array} points (count, 2)
 * @param {number} i which of them
 */
export function placeOf({ x, y, unit }, points, i) {
  return { x: x + points[2 * i] * unit, y: y - points[2 * i + 1] * unit };
}

/**
 * The point nearest to a place on the picture.
 * @param {Float32Array} points (count, 2)
 * @param {PlaneFrame} frame
 * @param {number} x on the picture
 * @param {number} y
 * @param {number} reach no further than this
 * @returns {number} -1 where none is near
 */
export function nearestPoint(points, frame, x, y, reach) {
  let best = -1;
  let nearest = reach ** 2;
  for (let i = 0; i < points.length; i += 2) {
    const across = frame.x + points[i] * frame.unit - x;
    const down = frame.y - points[i + 1] * frame.unit - y;
    const distance = across * across + down * down;
    if (distance <= nearest) [best, nearest] = [i / 2, distance];
  }
  return best;
}

/**
 * The next point in a direction: the nearest of those that lie rather that way than
 * sideways.
 * @param {Float32Array} points (count, 2)
 * @param {number} from index
 * @param {readonly [down: number, right: number]} direction one of them 0
 * @returns {number} `from` itself where there is none
 */
export function nextPoint(points, from, [down, right]) {
  let best = from;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i] - points[2 * from];
    const y = points[i + 1] - points[2 * from + 1];
    const along = x * right - y * down;
    const aside = Math.abs(x * down) + Math.abs(y * right);
    const distance = x * x + y * y;
    if (along > 0 && along >= aside && distance < nearest)
      [best, nearest] = [i / 2, distance];
  }
  return best;
}
