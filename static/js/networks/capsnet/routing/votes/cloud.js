/**
 * The votes for the digit in focus, laid out in their plane: what does not change with
 * the iterations once, what does for each of them.
 * @import { Scene } from "../scene.js"
 * @import { Tensor } from "../../../../types.js"
 * @import { RoutedTrace } from "../../types.js"
 */

import { reach } from "../../../../lib/arithmetic.js";
import { memoize, memoizeByObject } from "../../../../lib/memoize.js";
import { principalPlane, projected } from "../../../../lib/principal.js";
import { ofDigit } from "../sums.js";
import { weighVotes } from "./sums.js";

/** What one tensor of votes spans; the same in every iteration. */
const spanOf = memoizeByObject(
  (/** @type {Tensor} */ votes) => votes,
  ({ shape, data }) => {
    const plane = principalPlane(data, shape[shape.length - 1]);
    return { plane, points: projected(data, plane) };
  },
);

/**
 * What is the same in every iteration of a run.
 * @typedef {object} Course
 * @property {import("../../../../lib/principal.js").Plane} plane
 * @property {Float32Array} points (capsules, 2) where the votes stand
 * @property {Float64Array[]} sums s, for each iteration
 * @property {Float64Array[]} meanVotes s / Σ c
 * @property {Float32Array} means (iterations, 2) where they stand
 * @property {Float32Array} poses (iterations, 2) where v stands
 * @property {number} mostAgreement the largest magnitude of û·v
 */

const courseOf = memoize(
  (
    /** @type {RoutedTrace} */ trace,
    /** @type {number} */ digit,
    /** @type {Tensor} */ votes,
    /** @type {readonly number[]} */ silenced,
  ) => {
    const { plane, points } = spanOf(votes);
    const { "routing.couplings": couplings, "routing.agreement": agreement } =
      trace.tensors;
    const counted = without(votes.data, silenced, plane.right.length);
    const steps = Array.from({ length: couplings.shape[0] }, (_, step) => step);
    const weighed = steps.map((step) =>
      weighVotes(counted, ofDigit(couplings, step, digit)),
    );
    const meanVotes = weighed.map(({ mean }) => mean);
    return {
      plane,
      points,
      sums: weighed.map(({ sum }) => sum),
      meanVotes,
      means: pathOf(meanVotes, plane),
      poses: pathOf(posesOf(trace, digit), plane),
      mostAgreement: Math.max(
        ...steps.map((step) => reach(ofDigit(agreement, step, digit))),
      ),
    };
  },
);

/**
 * @typedef {object} Laid the votes in one iteration
 * @property {Course} course
 * @property {Float32Array} couplings (capsules) c
 * @property {Float32Array} agreement (capsules) û·v
 * @property {Float32Array} tints (capsules) the same as shares of the most there is
 */

const layOut = memoize(
  (
    /** @type {Course} */ course,
    /** @type {RoutedTrace} */ { tensors },
    /** @type {number} */ step,
    /** @type {number} */ digit,
  ) => {
    const agreement = ofDigit(tensors["routing.agreement"], step, digit);
    const most = course.mostAgreement || 1;
    return {
      course,
      couplings: ofDigit(tensors["routing.couplings"], step, digit),
      agreement,
      tints: agreement.map((value) => value / most),
    };
  },
);

/**
 * The votes for one digit.
 * @param {Pick<Scene, "trace" | "more" | "intact">} scene
 * @param {number} digit
 * @returns {Tensor | null} (types, rows, columns, dim); null while they are on their way
 */
export function votesFor({ trace, more, intact }, digit) {
  // Surgery changes no vote, so either run has them.
  const others = intact.pixels === trace.pixels ? intact.tensors : {};
  return more[`votes.${digit}`] ?? others[`votes.${digit}`] ?? null;
}

/**
 * @param {Scene} scene
 * @returns {Laid | null} null while the votes are on their way
 */
export function layOutVotes(scene) {
  const { trace, ran, step, digit } = scene;
  const votes = votesFor(scene, digit);
  if (votes === null) return null;
  return layOut(courseOf(trace, digit, votes, ran.silenced), trace, step, digit);
}

/**
 * @param {RoutedTrace} trace
 * @param {number} digit
 * @returns {Float32Array[]} v of that digit after each iteration
 */
export function posesOf({ tensors }, digit) {
  const { shape, data } = tensors["routing.capsules"];
  const [iterations, classes, dim] = shape;
  return Array.from({ length: iterations }, (_, step) => {
    const from = (step * classes + digit) * dim;
    return data.subarray(from, from + dim);
  });
}

/**
 * @param {readonly ArrayLike<number>[]} vectors
 * @param {import("../../../../lib/principal.js").Plane} plane
 * @returns {Float32Array} (vectors, 2)
 */
function pathOf(vectors, plane) {
  return projected(
    vectors.flatMap((vector) => Array.from(vector)),
    plane,
  );
}

/**
 * @param {Float32Array} votes
 * @param {readonly number[]} silenced capsules, which vote for nothing
 * @param {number} dim
 */
function without(votes, silenced, dim) {
  if (silenced.length === 0) return votes;
  const counted = votes.slice();
  for (const capsule of silenced) counted.fill(0, capsule * dim, (capsule + 1) * dim);
  return counted;
}
