/**
 * The capsule network with routing by agreement (Sabour, Frosst & Hinton 2017): its layers.
 * @import { Model } from "../types.js"
 * @import { Reach } from "../kinds/types.js"
 */
import { capsules } from "../kinds/capsules/index.js";
import { classes } from "../kinds/classes/index.js";
import { convolution } from "../kinds/convolution/index.js";
import { decoder } from "../kinds/decoder/index.js";
import { legibilityFacts } from "../kinds/legibility.js";
import { createNetwork } from "../kinds/network.js";
import { dynamicRouting } from "../kinds/routing/dynamic/kind.js";

/** @param {Model} model @returns {any} the sizes of `model/capsnet/config.py` */
const sizesOf = ({ card }) => card.config;

const conv1 = {
  id: "conv1",
  title: "Conv1",
  kind: convolution,
  window: (/** @type {Model} */ model) => ({
    size: sizesOf(model).kernel_size,
    step: 1,
  }),
  tensors: { pre: "conv1.pre", glimpse: "conv1.glimpse" },
  weights: { kernels: "conv1.kernels", bias: "conv1.bias" },
  keys: { look: "conv1" },
};

const primary = {
  id: "primary",
  title: "PrimaryCaps",
  kind: capsules,
  below: "conv1",
  /** @param {Model} model @returns {Reach} */
  window(model) {
    const { kernel_size: size, primary_stride: step } = sizesOf(model);
    return { size, step };
  },
  tensors: {
    below: "conv1.relu",
    before: "primary.pre",
    poses: "primary.capsules",
    activation: "primary.lengths",
    moved: "primary.capsules",
  },
  measured: "types",
  keys: { mapBelow: "map", kernels: "primaryKernels" },
};

const routing = {
  id: "routing",
  title: "Routing",
  kind: dynamicRouting,
  below: "primary",
  window: () => ({ size: 1, step: 1 }),
  tensors: {
    lengths: "primary.lengths",
    logits: "routing.logits",
    couplings: "routing.couplings",
    agreement: "routing.agreement",
    capsules: "routing.capsules",
    none: "routing.none",
    scores: "digits.lengths",
    decoded: "reconstruction",
    types: "routing.types",
    votes: "votes",
    pre: "primary.pre",
    found: "primary.capsules",
    beneath: "conv1.relu",
  },
  measured: "types",
  keys: { look: "routed", kernels: "primaryKernels" },
  words: { network: "the CapsNet", beneath: "Conv1" },
};

const digits = {
  id: "digits",
  title: "DigitCaps",
  kind: classes,
  tensors: {
    scores: "digits.lengths",
    poses: "digits.capsules",
    history: "routing.capsules",
  },
  words: { form: "vectors", decoder: "reconstruction" },
};

const reconstruction = {
  id: "reconstruction",
  title: "Reconstruction",
  kind: decoder,
  tensors: {
    poses: "digits.capsules",
    scores: "digits.lengths",
    image: "reconstruction",
  },
  measured: "poses",
  words: {
    reach: 2, // a capsule is shorter than 1, so no number moves further than from -1 to 1
    fallback: 0.3,
    onRequest: ["input", "votes"],
  },
};

export const network = createNetwork({
  layers: [conv1, primary, routing, digits, reconstruction],
  own: {
    code: {
      tensor: "digits.capsules",
      isPose: true,
      title: "pose of the class capsule",
    },
    facts: (model) => legibilityFacts(model),
  },
});
