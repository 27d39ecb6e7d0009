/**
 * Attention routing in terms that networks share.
 * @import { Layer, RoutingForm } from "../../types.js"
 */
import { largestByClass, meansByClass } from "../beside-words.js";

/** @param {Layer} layer @returns {RoutingForm<string>} */
export function formOf({ tensors: names, words }) {
  return {
    name: "attention routing",
    network: words.network,
    isOnce: true,
    terms: {
      score: { name: "length", symbol: "‖v‖" },
      share: { name: "share", symbol: "softmax(a)" },
      weight: { name: "coupling", symbol: "share + prior" },
      fit: { name: "agreement", symbol: "a = û·Σû / √d" },
      against: { name: "sum of all votes", symbol: "Σû" },
      vote: { name: "prediction, a vector", symbol: "û = W u" },
      result: { name: "squashed sum of votes", symbol: "v" },
    },
    needs: [names.scores, names.shares, names.agreement],
    courseOf({ tensors }) {
      /** As of an only iteration. @param {string} name */
      const once = (name) => {
        const { shape, data } = tensors[name];
        return { shape: [1, ...shape], data };
      };
      return {
        capsules: tensors[names.shares].shape[0],
        scores: meansByClass(once(names.scores)), // of one value each
        shares: meansByClass(once(names.shares)),
        largest: largestByClass(once(names.shares)),
        fits: meansByClass(once(names.agreement)),
      };
    },
  };
}
