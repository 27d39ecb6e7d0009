/** What tests of dynamic routing begin with: a network of one layer, named as in the CapsNet. */
import { createNetwork, layersOf } from "../../../../../static/js/kinds/network.js";
import { dynamicRouting } from "../../../../../static/js/kinds/routing/dynamic/kind.js";
import { MODEL } from "../../../fixtures.js";
import { makers } from "../../../networks/making.js";

const ROUTING = {
  id: "routing",
  title: "Routing",
  kind: dynamicRouting,
  tensors: {
    lengths: "primary.lengths",
    logits: "routing.logits",
    couplings: "routing.couplings",
    agreement: "routing.agreement",
    capsules: "routing.capsules",
    scores: "digits.lengths",
    decoded: "reconstruction",
    votes: "votes",
    pre: "primary.pre",
    beneath: "conv1.relu",
  },
  words: { network: "the CapsNet" },
};

export const [LAYER] = layersOf([ROUTING]);
export const network = createNetwork({ layers: [ROUTING] });
export const { stateWith, made } = makers(network, MODEL);
