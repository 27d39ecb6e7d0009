/**
 * Routing by agreement in terms that networks share.
 * @import { Layer, RoutingForm } from "../../types.js"
 */
import { largestByClass, meansByClass } from "../beside-words.js";
import { hasNone } from "./ends.js";
import { iterationOf, lengthsOverIterations } from "./sums.js";

/** @param {Layer} layer @returns {RoutingForm<string>} */
export function formOf(layer) {
  const { tensors: names, words } = layer;
  return {
    name: "routing by agreement",
    network: words.network,
    hasNone: (model) => hasNone(layer, model),
    terms: {
      score: { name: "length", symbol: "‖v‖" },
      share: { name: "coupling", symbol: "c" },
      weight: { name: "coupling", symbol: "c" },
      fit: { name: "agreement", symbol: "û·v" },
      against: { name: "capsule so far", symbol: "v" },
      vote: { name: "prediction, a vector", symbol: "û = W u" },
      result: { name: "squashed sum of votes", symbol: "v" },
    },
    needs: [names.capsules, names.couplings, names.agreement],
    courseOf({ tensors }) {
      const couplings = tensors[names.couplings];
      return {
        capsules: iterationOf(couplings, 0).capsules,
        scores: lengthsOverIterations(tensors[names.capsules]),
        shares: meansByClass(couplings),
        largest: largestByClass(couplings),
        fits: meansByClass(tensors[names.agreement]),
      };
    },
  };
}
