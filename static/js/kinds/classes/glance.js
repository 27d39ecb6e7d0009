/**
 * The classes in the picture of the whole network: how present each is after each
 * iteration, and its pose then.
 * @import { LayerGlance, Tensor, TraceOf } from "../types.js"
 */
import { lengthsOf } from "../../lib/arithmetic.js";

/** @type {LayerGlance} */
export const glance = {
  needs: ["scores", "poses", "history", "means"],
  of: (/** @type {Partial<TraceOf<string>>} */ trace) => {
    const { scores, poses, history, means } =
      /** @type {Partial<Record<string, Tensor>>} */ (trace.tensors);
    if (scores === undefined) return null;
    const [classes] = scores.shape;
    // Of vectors the history has poses, whose lengths the scores are; else the scores.
    const isOfPoses = history !== undefined && history.shape.length > 2;
    const course = isOfPoses
      ? Float32Array.from(lengthsOf(history.data, history.shape.slice(-1)[0]))
      : history?.data;
    const sources = isOfPoses ? history : (means ?? poses);
    return {
      form: "classes",
      scores: course ?? scores.data,
      pose: sources
        ? (step, classIndex) => poseIn(sources, classes, step, classIndex)
        : null,
    };
  },
};

/**
 * @param {Tensor} poses (steps, classes, …), or of the last step alone (classes, …)
 * @param {number} classes @param {number} step @param {number} classIndex
 */
function poseIn({ shape, data }, classes, step, classIndex) {
  const isByStep = shape[0] !== classes || shape[1] === classes;
  const steps = isByStep ? shape[0] : 1;
  const size = data.length / steps / classes;
  const at = (Math.min(step, steps - 1) * classes + classIndex) * size;
  return [...data.subarray(at, at + size)];
}
