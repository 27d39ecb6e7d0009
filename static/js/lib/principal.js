/** The plane in which points of many dimensions spread the most. */
import { symmetricEigen } from "./eigen.js";

/**
 * @typedef {object} Plane
 * @property {Float64Array} right first principal direction, of length 1
 * @property {Float64Array} up second principal direction, of length 1
 * @property {number} rightShare of the variance along `right`, in 0..1
 * @property {number} upShare of the variance along `up`
 */

/**
 * The first two principal directions of points, those of their covariance. Which of its
 * two signs a direction has is arbitrary; here it points to where the points' mean is,
 * and where the mean is neither way, along its largest number.
 * @param {Float32Array} points (count, dim)
 * @param {number} dim at least 2
 * @returns {Plane}
 */
export function principalPlane(points, dim) {
  const mean = meanOf(points, dim);
  const covariance = covarianceOf(points, dim, mean);
  const { values, vectors } = symmetricEigen(covariance, dim);
  const total = values.reduce((sum, value) => sum + value, 0) || 1;
  return {
    right: facing(vectors[0], mean),
    up: facing(vectors[1], mean),
    rightShare: values[0] / total,
    upShare: values[1] / total,
  };
}

/**
 * Where points stand in a plane through zero.
 * @param {ArrayLike<number>} points (count, dim)
 * @param {Pick<Plane, "right" | "up">} plane
 * @returns {Float32Array} (count, 2)
 */
export function projected(points, { right, up }) {
  const dim = right.length;
  const places = new Float32Array((2 * points.length) / dim);
  for (let at = 0, to = 0; at < points.length; to += 2) {
    let [x, y] = [0, 0];
    for (let d = 0; d < dim; d++, at++) {
      x += points[at] * right[d];
      y += points[at] * up[d];
    }
    places[to] = x;
    places[to + 1] = y;
  }
  return places;
}

/**
 * @param {Float32Array} points
 * @param {number} dim
 */
function meanOf(points, dim) {
  const mean = new Float64Array(dim);
  for (let i = 0; i < points.length; i++) mean[i % dim] += points[i];
  return mean.map((sum) => (sum * dim) / points.length);
}

/**
 * @param {Float32Array} points
 * @param {number} dim
 * @param {Float64Array} mean
 * @returns {Float64Array} (dim, dim)
 */
function covarianceOf(points, dim, mean) {
  const sums = new Float64Array(dim * dim);
  const point = new Float64Array(dim);
  for (let at = 0; at < points.length; at += dim) {
    for (let i = 0; i < dim; i++) point[i] = points[at + i] - mean[i];
    for (let i = 0; i < dim; i++) {
      for (let j = 0; j <= i; j++) sums[i * dim + j] += point[i] * point[j];
    }
  }
  const count = points.length / dim;
  for (let i = 0; i < dim; i++) {
    for (let j = 0; j <= i; j++) {
      sums[i * dim + j] /= count;
      sums[j * dim + i] = sums[i * dim + j];
    }
  }
  return sums;
}

/**
 * @param {Float64Array} direction
 * @param {Float64Array} mean
 */
function facing(direction, mean) {
  let along = 0;
  let largest = 0;
  for (let i = 0; i < direction.length; i++) {
    along += direction[i] * mean[i];
    if (Math.abs(direction[i]) > Math.abs(largest)) largest = direction[i];
  }
  return (along || largest) < 0 ? direction.map((value) => -value) : direction;
}
