/**
 * The longest votes for one digit as arrows in a plane: what does not change with the
 * iterations, and what does.
 *
 * Across is the direction of the digit's capsule v after the last iteration. Up is the
 * direction at right angles to it along which these votes, squared and summed, are longest.
 * @import { Tensor } from "../../../types.js"
 * @import { RoutedTensors } from "./types.js"
 */
import { ranked } from "../../../lib/arithmetic.js";
import { projected, symmetricEigen } from "../../../lib/principal.js";
import { ofClass } from "./sums.js";
import { meanVote, pathOf, posesOf } from "./vote-plane.js";

/** More arrows than this cannot be told apart. */
export const SHOWN = 10;

/** Shorter than this, a vector has no direction worth the name. */
const NOTHING = 1e-9;

/**
 * @typedef {object} Arrows
 * @property {number} classIndex
 * @property {number} voters how many capsules vote
 * @property {number[]} capsules those whose votes are shown, the longest vote first
 * @property {Float64Array} lengths (capsules) ‖û‖
 * @property {Float32Array} tips (capsules, 2) where their votes end
 * @property {number} share of their squared length that lies in the plane, in 0..1
 * @property {Float32Array[]} couplings (capsules) c, for each iteration
 * @property {Float32Array[]} agreement (capsules) û·v, for each iteration
 * @property {Float32Array} means (iterations, 2) where their mean, weighted by c, ends
 * @property {number[]} meanLengths its length, for each iteration
 * @property {Float32Array} poses (iterations, 2) where v ends
 * @property {number[]} poseLengths ‖v‖, for each iteration
 */

/**
 * @param {Pick<RoutedTensors, "couplings" | "agreement" | "capsules">} tensors
 * @param {Tensor} votes (types, rows, columns, dim) for that class
 * @param {number} classIndex
 * @param {readonly number[]} silenced capsules, which vote for nothing
 * @returns {Arrows}
 */
export function arrowsOf(
  { couplings: c, agreement: a, capsules: v },
  votes,
  classIndex,
  silenced,
) {
  const dim = votes.shape[votes.shape.length - 1];
  const capsules = longestVotes(votes.data, dim, silenced);
  const each = capsules.map((i) => votes.data.subarray(i * dim, (i + 1) * dim));
  const shown = Float32Array.from(each.flatMap((vote) => [...vote]));
  const poses = posesOf(v, classIndex);
  const plane = planeOf(shown, poses[poses.length - 1]);
  const of = (/** @type {Tensor} */ tensor) =>
    poses.map((_, step) => {
      const all = ofClass(tensor, step, classIndex);
      return Float32Array.from(capsules, (i) => all[i]);
    });
  const couplings = of(c);
  const means = couplings.map((weights) =>
    capsules.length === 0 ? new Float64Array(dim) : meanVote(shown, weights),
  );
  const tips = projected(shown, plane);
  return {
    classIndex,
    voters: votes.data.length / dim,
    capsules,
    lengths: Float64Array.from(each, (vote) => Math.hypot(...vote)),
    tips,
    share: squares(tips) / (squares(shown) || 1),
    couplings,
    agreement: of(a),
    means: pathOf(means, plane),
    meanLengths: means.map((mean) => Math.hypot(...mean)),
    poses: pathOf(poses, plane),
    poseLengths: poses.map((pose) => Math.hypot(...pose)),
  };
}

/**
 * @param {Float32Array} votes (capsules, dim)
 * @param {number} dim @param {readonly number[]} silenced
 * @returns {number[]} capsules, the longest vote first; none whose vote has no length
 */
function longestVotes(votes, dim, silenced) {
  const lengths = Float64Array.from({ length: votes.length / dim }, (_, i) =>
    squares(votes.subarray(i * dim, (i + 1) * dim)),
  );
  for (const capsule of silenced) lengths[capsule] = 0;
  return ranked(lengths)
    .slice(0, SHOWN)
    .filter((i) => lengths[i] > NOTHING ** 2);
}

/**
 * @param {Float32Array} votes (count, dim)
 * @param {Float32Array} pose v; where it has no length, the votes alone choose the plane
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

/** @param {ArrayLike<number>} values */
function squares(values) {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] ** 2;
  return sum;
}
