/** The plane in which votes for one class are drawn as arrows. */
import { symmetricEigen } from "../../lib/principal.js";

/** Shorter than this, a vector has no direction worth the name. */
export const NOTHING = 1e-9;

/**
 * Across: a direction to compare the votes with. Up: the direction at right angles to it
 * along which the votes, squared and summed, are longest.
 * @param {Float32Array} votes (count, dim)
 * @param {Float32Array | Float64Array} pose gives that direction; where it has no length, the
 *   votes alone choose the plane
 * @returns {{ right: Float64Array, up: Float64Array }} both of length 1, at right angles
 */
export function planeOf(votes, pose) {
  const dim = pose.length;
  const length = Math.hypot(...pose);
  const right =
    length > NOTHING
      ? Float64Array.from(pose, (value) => value / length)
      : toward(votes, longestWay(votes, dim, null));
  return { right, up: toward(votes, longestWay(votes, dim, right)) };
}

/**
 * The direction along which vectors, squared and summed, are longest: the first
 * eigenvector of their second moments about zero.
 * @param {Float32Array} vectors (count, dim)
 * @param {number} dim
 * @param {Float64Array | null} besides only directions at right angles to this count
 * @returns {Float64Array}
 */
function longestWay(vectors, dim, besides) {
  const moments = new Float64Array(dim * dim);
  for (let at = 0; at < vectors.length; at += dim) {
    const rest = without(vectors.subarray(at, at + dim), besides);
    for (let i = 0; i < dim; i++)
      for (let j = 0; j < dim; j++) moments[i * dim + j] += rest[i] * rest[j];
  }
  const { vectors: ways } = symmetricEigen(moments, dim);
  // Where all vectors lie along `besides`, any direction at right angles will do.
  for (const way of ways) {
    const rest = without(way, besides);
    const length = Math.hypot(...rest);
    if (length > 0.5) return rest.map((value) => value / length);
  }
  return ways[0];
}

/**
 * @param {ArrayLike<number>} vector
 * @param {Float64Array | null} direction of length 1
 * @returns {Float64Array} the part of the vector at right angles to it
 */
function without(vector, direction) {
  const rest = Float64Array.from(vector);
  if (direction === null) return rest;
  const along = rest.reduce((sum, value, d) => sum + value * direction[d], 0);
  return rest.map((value, d) => value - along * direction[d]);
}

/**
 * Of a direction's two signs, the one on whose side the sum of the votes lies.
 * @param {Float32Array} votes (count, dim)
 * @param {Float64Array} direction
 */
function toward(votes, direction) {
  const dim = direction.length;
  const along = votes.reduce((sum, value, i) => sum + value * direction[i % dim], 0);
  return along < 0 ? direction.map((value) => -value) : direction;
}
