/**
 * Routing by agreement in terms that networks share.
 * @import { RoutingForm } from "../../types.js"
 */
import { largestByClass, meansByClass } from "../../beside/course.js";
import { lengthsOverIterations } from "./routing/sums.js";

/** @type {RoutingForm<"routing.capsules" | "routing.couplings" | "routing.agreement">} */
export const form = {
  name: "routing by agreement",
  network: "the CapsNet",
  terms: {
    score: { name: "length", symbol: "‖v‖" },
    share: { name: "coupling", symbol: "c" },
    fit: { name: "agreement", symbol: "û·v" },
    vote: { name: "prediction, a vector", symbol: "û = W u" },
    result: { name: "squashed sum of votes", symbol: "v" },
  },
  needs: ["routing.capsules", "routing.couplings", "routing.agreement"],
  courseOf({ tensors }) {
    const couplings = tensors["routing.couplings"];
    const below = couplings.shape.slice(1, -1);
    return {
      capsules: below.reduce((product, size) => product * size, 1),
      scores: lengthsOverIterations(tensors["routing.capsules"]),
      shares: meansByClass(couplings),
      largest: largestByClass(couplings),
      fits: meansByClass(tensors["routing.agreement"]),
    };
  },
};
