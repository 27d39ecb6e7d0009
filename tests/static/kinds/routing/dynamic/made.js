/** What tests of dynamic routing begin with: a network of one layer, named as in the CapsNet. */

import { capsules } from "../../../../../static/js/kinds/capsules/index.js";
import { createNetwork, layersOf } from "../../../../../static/js/kinds/network.js";
import { dynamicRouting } from "../../../../../static/js/kinds/routing/dynamic/kind.js";
import { MODEL } from "../../../fixtures.js";
import { makers } from "../../../networks/making.js";

const PRIMARY = {
  id: "primary",
  title: "PrimaryCaps",
  kind: capsules,
  form: "vectors",
  window: () => ({ size: 9, step: 2 }),
  tensors: {
    poses: "primary.capsules",
    activation: "primary.lengths",
    before: "primary.pre",
    below: "conv1.relu",
  },
  keys: { mapBelow: "map", kernels: "primaryKernels" },
  words: {},
};
const ROUTING = {
  id: "routing",
  title: "Routing",
  kind: dynamicRouting,
  below: "primary",
  keys: { look: "routed", kernels: "primaryKernels" },
  tensors: {
    lengths: "primary.lengths",
    logits: "routing.logits",
    couplings: "routing.couplings",
    agreement: "routing.agreement",
    capsules: "routing.capsules",
    none: "routing.none",
    scores: "digits.lengths",
    decoded: "reconstruction",
    votes: "votes",
    pre: "primary.pre",
    beneath: "conv1.relu",
  },
  words: { network: "the CapsNet" },
};

export const [, LAYER] = layersOf([PRIMARY, ROUTING]);
export const network = createNetwork({ layers: [PRIMARY, ROUTING], model: MODEL });
export const { stateWith, made } = makers(network, MODEL);
