/**
 * The votes for one class, laid out in their plane: what does not change with the iterations
 * once, what does for each of them.
 * @import { Layer, Tensor } from "../../types.js"
 * @import { DynamicScene as Scene, RoutedTensors } from "./types.js"
 */
import { reach } from "../../../lib/arithmetic.js";
import { memoize, memoizeByObject } from "../../../lib/memoize.js";
import { principalPlane, projected } from "../../../lib/principal.js";
import { votesName } from "./answers.js";
import { stepsOf } from "./course.js";
import { ofClass, poseAt } from "./sums.js";

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
 * @property {import("../../../lib/principal.js").Plane} plane
 * @property {Float32Array} points (capsules, 2) where the votes stand
 * @property {Float64Array[]} meanVotes Σ c·û / Σ c, for each iteration
 * @property {Float32Array} means (iterations, 2) where they stand
 * @property {Float32Array} poses (iterations, 2) where v stands
 * @property {number} mostAgreement the largest magnitude of û·v
 */

const courseOf = memoize(
  (
    /** @type {RoutedTensors} */ { couplings, agreement, capsules },
    /** @type {number} */ classIndex,
    /** @type {Tensor} */ votes,
    /** @type {readonly number[]} */ silenced,
  ) => {
    const { plane, points } = spanOf(votes);
    const dim = plane.right.length;
    const counted = silenced.length === 0 ? votes.data : votes.data.slice();
    // Silent capsules vote for nothing.
    for (const silent of silenced) counted.fill(0, silent * dim, (silent + 1) * dim);
    const steps = stepsOf(couplings);
    const meanVotes = steps.map((step) =>
      meanVote(counted, ofClass(couplings, step, classIndex)),
    );
    return {
      plane,
      points,
      meanVotes,
      means: pathOf(meanVotes, plane),
      poses: pathOf(posesOf(capsules, classIndex), plane),
      mostAgreement: Math.max(
        ...steps.map((step) => reach(ofClass(agreement, step, classIndex))),
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
    /** @type {RoutedTensors} */ tensors,
    /** @type {number} */ step,
    /** @type {number} */ classIndex,
  ) => {
    const agreement = ofClass(tensors.agreement, step, classIndex);
    const most = course.mostAgreement || 1;
    return {
      course,
      couplings: ofClass(tensors.couplings, step, classIndex),
      agreement,
      tints: agreement.map((value) => value / most),
    };
  },
);

/**
 * @param {Pick<Scene, "more">} scene @param {Layer} layer @param {number} classIndex
 * @returns {Tensor | null} (types, rows, columns, dim); null while they are on their way
 */
export function votesFor({ more }, layer, classIndex) {
  return more[votesName(layer, classIndex)] ?? null;
}

/**
 * @param {Pick<Scene, "tensors" | "more" | "ran" | "step" | "classIndex">} scene
 * @param {Layer} layer
 * @returns {Laid | null} null while the votes are on their way
 */
export function layOutVotes(scene, layer) {
  const { tensors, ran, step, classIndex } = scene;
  const votes = votesFor(scene, layer, classIndex);
  if (votes === null) return null;
  return layOut(
    courseOf(tensors, classIndex, votes, ran.silenced),
    tensors,
    step,
    classIndex,
  );
}

/**
 * @param {Tensor} capsules (iterations, classes, dim)
 * @param {number} classIndex
 * @returns {Float32Array[]} v of that class after each iteration
 */
export function posesOf(capsules, classIndex) {
  return stepsOf(capsules).map((step) => poseAt(capsules, step, classIndex));
}

/**
 * @param {readonly ArrayLike<number>[]} vectors
 * @param {Parameters<typeof projected>[1]} plane
 * @returns {Float32Array} (vectors, 2)
 */
export function pathOf(vectors, plane) {
  return projected(
    vectors.flatMap((vector) => Array.from(vector)),
    plane,
  );
}

/**
 * The mean of the votes with c as weights, Σ c·û / Σ c.
 * @param {Float32Array} votes (capsules below, dim), û
 * @param {Float32Array} couplings (capsules below), c
 * @returns {Float64Array} (dim)
 */
export function meanVote(votes, couplings) {
  const dim = votes.length / couplings.length;
  const sum = new Float64Array(dim);
  let weight = 0;
  for (let i = 0, at = 0; i < couplings.length; i++) {
    weight += couplings[i];
    for (let d = 0; d < dim; d++, at++) sum[d] += couplings[i] * votes[at];
  }
  return sum.map((value) => value / (weight || 1));
}
