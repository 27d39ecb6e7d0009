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
import { projected } from "../../../lib/principal.js";
import { NOTHING, planeOf } from "../plane.js";
import { stepsOf } from "./course.js";
import { ofClass, poseAt } from "./sums.js";

/** More arrows than this cannot be told apart. */
export const SHOWN = 10;

/**
 * @typedef {object} Arrows
 * @property {number} classIndex
 * @property {number} voters how many capsules vote
 * @property {number[]} capsules those whose votes are shown, the longest vote first
 * @property {Float64Array} lengths (capsules) ‖û‖
 * @property {Float32Array} tips (capsules, 2) where their votes end
 * @property {Float32Array[]} couplings (capsules) c, for each iteration
 * @property {Float32Array[]} agreement (capsules) û·v, for each iteration
 * @property {Float64Array[]} cosines (capsules) of the angle between û and v, for each
 *   iteration; not a number where one has no length
 * @property {Float32Array} means (iterations, 2) where the mean of all votes, weighted by c,
 *   ends
 * @property {Float32Array} poses (iterations, 2) where v ends
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
  const silent = new Set(silenced);
  const means = poses.map((_, step) => {
    const weights = ofClass(c, step, classIndex);
    return meanVote(
      votes.data,
      weights.map((coupling, i) => (silent.has(i) ? 0 : coupling)),
    );
  });
  return {
    classIndex,
    voters: votes.data.length / dim,
    capsules,
    lengths: Float64Array.from(each, (vote) => Math.hypot(...vote)),
    tips: projected(shown, plane),
    couplings,
    agreement: of(a),
    // Of votes and v, not of û·v: its half precision holds nothing of the shortest.
    cosines: poses.map((pose) => Float64Array.from(each, (vote) => cosine(vote, pose))),
    means: pathOf(means, plane),
    poses: pathOf(poses, plane),
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

/** @param {ArrayLike<number>} values */
function squares(values) {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] ** 2;
  return sum;
}

/**
 * @param {Tensor} capsules (iterations, classes, dim)
 * @param {number} classIndex
 * @returns {Float32Array[]} v of that class after each iteration
 */
function posesOf(capsules, classIndex) {
  return stepsOf(capsules).map((step) => poseAt(capsules, step, classIndex));
}

/**
 * @param {readonly ArrayLike<number>[]} vectors
 * @param {Parameters<typeof projected>[1]} plane
 * @returns {Float32Array} (vectors, 2)
 */
function pathOf(vectors, plane) {
  return projected(
    vectors.flatMap((vector) => Array.from(vector)),
    plane,
  );
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b as many */
function cosine(a, b) {
  const unit = 1 / Math.sqrt(squares(a)) / Math.sqrt(squares(b));
  return Array.from(a).reduce((total, value, d) => total + value * unit * b[d], 0);
}

/**
 * The mean of the votes with c as weights, Σ c·û / Σ c.
 * @param {Float32Array} votes (capsules below, dim), û
 * @param {Float32Array} couplings (capsules below), c
 * @returns {Float64Array} (dim)
 */
function meanVote(votes, couplings) {
  const dim = votes.length / couplings.length;
  const sum = new Float64Array(dim);
  let weight = 0;
  for (let i = 0, at = 0; i < couplings.length; i++) {
    weight += couplings[i];
    for (let d = 0; d < dim; d++, at++) sum[d] += couplings[i] * votes[at];
  }
  return sum.map((value) => value / (weight || 1));
}
