/**
 * The path of a vector while something is varied: the plane in which it spreads the
 * most, how far it moves, and which of its numbers follow.
 */
import { polyline } from "../../geometry/curves.js";
import { framePoints, nearestPoint, placeOf } from "../../geometry/plane.js";
import { clamp, largestOf, sum } from "../../lib/arithmetic.js";
import { cssColor, sequential } from "../../lib/color.js";
import { symmetricEigen } from "../../lib/principal.js";
import { h } from "../../ui/h.js";

/** Less of a path’s squares than this is what single precision misses. */
const STILL = 1e-10;

/** Of the unit vectors that spread a path: what differs by less is rounded. */
const SAME = 1e-3;

/**
 * Where the points of a path stand in the plane of its first two principal directions, the
 * mean at zero. Taken from the products of the points with each other, since a hidden layer
 * has many more numbers than a path has points. The last point is to the right of the
 * first, and above it; where a path closes, the point farthest from the mean is.
 * @param {ArrayLike<number>} points (count, dim)
 * @param {number} dim
 * @returns {{ places: Float32Array, shares: [number, number] }} (count, 2), and the shares
 *   of the variance along both; 0 where nothing moves
 */
export function pathPlane(points, dim) {
  const count = points.length / dim;
  const products = productsOf(points, dim);
  const { values, vectors } = symmetricEigen(products, count);
  const spread = values.reduce((sum, value) => sum + Math.max(value, 0), 0);
  const size = sum(Array.from(points, (value) => value ** 2));
  const total = spread > STILL * size ? spread : 0;
  const places = new Float32Array(2 * count);
  for (let axis = 0; axis < Math.min(2, count); axis++) {
    const vector = vectors[axis];
    const length = Math.sqrt(Math.max(values[axis], 0));
    const ends = vector[count - 1] - vector[0];
    const farthest = vector[largestOf(Array.from(vector, Math.abs))];
    const sign = (Math.abs(ends) > SAME ? ends : farthest) < 0 ? -1 : 1;
    for (let i = 0; i < count; i++) places[2 * i + axis] = sign * length * vector[i];
  }
  const share = (/** @type {number} */ axis) =>
    total > 0 && axis < count ? Math.max(values[axis], 0) / total : 0;
  return { places, shares: [share(0), share(1)] };
}

/**
 * The product of each point with each, both from their mean.
 * @param {ArrayLike<number>} points (count, dim)
 * @param {number} dim
 * @returns {Float64Array} (count, count)
 */
function productsOf(points, dim) {
  const count = points.length / dim;
  const centred = Float64Array.from(points);
  for (let d = 0; d < dim; d++) {
    let mean = 0;
    for (let i = 0; i < count; i++) mean += points[i * dim + d] / count;
    for (let i = 0; i < count; i++) centred[i * dim + d] -= mean;
  }
  const products = new Float64Array(count * count);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let d = 0; d < dim; d++) sum += centred[i * dim + d] * centred[j * dim + d];
      products[i * count + j] = products[j * count + i] = sum;
    }
  }
  return products;
}

/**
 * The largest distance from one point of a path to others, as a share of its own length.
 * @param {ArrayLike<number>} points (count, dim)
 * @param {number} dim
 * @param {number} start index of the point that the distances are from
 * @param {number} first index of the first other
 * @param {number} last index of the last
 * @returns {number} not finite where the point itself is zero
 */
export function reach(points, dim, start, first, last) {
  let squares = 0;
  for (let d = 0; d < dim; d++) squares += points[start * dim + d] ** 2;
  let most = 0;
  for (let i = first; i <= last; i++) {
    let away = 0;
    for (let d = 0; d < dim; d++)
      away += (points[i * dim + d] - points[start * dim + d]) ** 2;
    most = Math.max(most, away);
  }
  return Math.sqrt(most / squares);
}

/**
 * How closely each number of a vector follows what is varied: Pearson's correlation.
 * @param {ArrayLike<number>} points (count, dim)
 * @param {number} dim
 * @param {readonly number[]} knobs one for each point
 * @param {number} first index of the first point that counts
 * @param {number} last index of the last
 * @returns {(number | null)[]} −1 to 1; null for a number that stays as it is
 */
export function correlations(points, dim, knobs, first, last) {
  const places = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const varied = awayFromMean(places.map((i) => knobs[i]));
  return Array.from({ length: dim }, (_, d) => {
    const number = awayFromMean(places.map((i) => points[i * dim + d]));
    const both = product(varied, varied) * product(number, number);
    return both === 0 ? null : product(varied, number) / Math.sqrt(both);
  });
}

/**
 * @param {ArrayLike<number>} a @param {ArrayLike<number>} b
 * @returns {number} degrees; 0 where one of them is zero
 */
export function angleBetween(a, b) {
  const [first, second] = [Array.from(a), Array.from(b)];
  const sizes = Math.sqrt(product(first, first) * product(second, second));
  if (sizes === 0) return 0;
  const cosine = clamp(product(first, second) / sizes, -1, 1);
  return (180 / Math.PI) * Math.acos(cosine);
}

/** @param {readonly number[]} values */
function awayFromMean(values) {
  const mean = sum(values) / values.length;
  return values.map((value) => value - mean);
}

/** @param {readonly number[]} a @param {readonly number[]} b */
function product(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

const SIZE = { width: 240, height: 170, margin: 14 };

/**
 * A path in a plane: a dot for each value of the knob, from dark to light, hollow where
 * another class is read.
 * @param {string} label
 * @param {{ places: Float32Array, isRight: readonly boolean[] }} path (count, 2), and whether
 *   the class is read there
 * @param {number | null} at which point has the ring
 * @param {(index: number) => void} choose
 */
export function pathPicture(label, { places, isRight }, at, choose) {
  const frame = framePoints([places], SIZE);
  const scale = sequential(0, Math.max(1, isRight.length - 1));
  const all = isRight.map((_, i) => placeOf(frame, places, i));
  const circle = (/** @type {number} */ i, /** @type {object} */ look) =>
    h("circle", { cx: all[i].x.toFixed(1), cy: all[i].y.toFixed(1), ...look });
  const dots = isRight.map((isRead, i) => {
    const color = cssColor(scale, i);
    return isRead
      ? circle(i, { r: 4, fill: color, stroke: "var(--text)", "stroke-width": 0.7 })
      : circle(i, { r: 4, fill: "none", stroke: color, "stroke-width": 1.6 });
  });
  const onclick = (/** @type {any} */ { currentTarget, clientX, clientY }) => {
    const box = currentTarget.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * SIZE.width;
    const y = ((clientY - box.top) / box.height) * SIZE.height;
    const index = nearestPoint(places, frame, x, y, SIZE.width);
    if (index >= 0) choose(index);
  };
  return h(
    "svg",
    {
      viewBox: `0 0 ${SIZE.width} ${SIZE.height}`,
      class: "pose-path",
      onclick,
      role: "img",
      "aria-label": label,
    },
    h("polyline", { points: polyline(all) }),
    h("g", {}, dots),
    at !== null && circle(at, { r: 8, class: "pose-ring" }),
  );
}
