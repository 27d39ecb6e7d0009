/**
 * EM routing to the classes in terms that networks share.
 * @import { Layer, RoutingForm, Tensor } from "../../types.js"
 */
import { POSE } from "../../matrices.js";
import { largestByClass, meansByClass } from "../beside-words.js";

const HALF_LOG_TAU = Math.log(2 * Math.PI) / 2;

/** @param {Layer} layer @returns {RoutingForm<string>} */
export function formOf({ tensors: names, words }) {
  return {
    name: "EM routing",
    network: words.network,
    terms: {
      score: { name: "activation", symbol: "a" },
      share: { name: "assignment", symbol: "R" },
      weight: { name: "assignment × activation", symbol: "R·a" },
      fit: { name: "log density", symbol: "log N(V; μ, σ²)" },
      against: { name: "Gaussian so far", symbol: "μ, σ" },
      vote: { name: "vote, a matrix", symbol: "V = M W" },
      result: { name: "mean of the votes", symbol: "μ" },
    },
    needs: [
      names.votes,
      names.assignments,
      names.means,
      names.deviations,
      names.activations,
    ],
    courseOf({ tensors }) {
      const assignments = tensors[names.assignments];
      const [votes, means] = [tensors[names.votes], tensors[names.means]];
      return {
        capsules: votes.data.length / (means.shape[1] * POSE),
        scores: meansByClass(tensors[names.activations]), // of one value each
        shares: meansByClass(assignments),
        largest: largestByClass(assignments),
        fits: meansByClass(logDensities(votes, means, tensors[names.deviations])),
      };
    },
  };
}

/**
 * How well each vote fits the Gaussian of its class.
 * @param {Tensor} votes (capsules below, …, classes, 16)
 * @param {Tensor} means (iterations, classes, 16)
 * @param {Tensor} deviations same shape
 * @returns {Tensor} (iterations, capsules below, classes), log N(V; μ, σ²)
 */
export function logDensities(votes, means, deviations) {
  const [iterations, classes] = means.shape;
  const capsules = votes.data.length / (classes * POSE);
  const data = new Float32Array(iterations * capsules * classes);
  for (let i = 0; i < data.length; i++) {
    const classIndex = i % classes;
    const step = Math.floor(i / (capsules * classes));
    const vote = (i % (capsules * classes)) * POSE;
    const from = (step * classes + classIndex) * POSE;
    for (let h = 0; h < POSE; h++) {
      const deviation = deviations.data[from + h];
      const away = (votes.data[vote + h] - means.data[from + h]) / deviation;
      data[i] -= away ** 2 / 2 + Math.log(deviation) + HALF_LOG_TAU;
    }
  }
  return { shape: [iterations, capsules, classes], data };
}
