/**
 * Efficient-CapsNet (Mazzia, Salvetti & Chiaberge 2021): its layers.
 * @import { Model } from "../types.js"
 */
import { capsules } from "../kinds/capsules/index.js";
import { classes } from "../kinds/classes/index.js";
import { convolution } from "../kinds/convolution/index.js";
import { decoder } from "../kinds/decoder/index.js";
import { legibilityFacts } from "../kinds/legibility.js";
import { createNetwork } from "../kinds/network.js";
import { attentionRouting } from "../kinds/routing/attention/kind.js";

/** @param {Model} model @returns {any} the sizes of `model/efficient/config.py` */
const sizesOf = ({ card }) => card.config;

const LAST = 4; // of the convolutions; it moves two pixels at a time, the others one

/**
 * A convolution, which ends with batch norm.
 * @param {number} number 1 reads the image
 */
function convolved(number) {
  const [id, below] = [`conv${number}`, `conv${number - 1}`];
  /** @param {string} key @param {number} [of] */
  const own = (key, of = number) => (of === 1 ? key : `${key}${of}`);
  const window = (/** @type {Model} */ model) => ({
    size: sizesOf(model).kernel_sizes[number - 1],
    step: number === LAST ? 2 : 1,
  });
  const learned = {
    gain: `${id}.norm.weight`,
    shift: `${id}.norm.bias`,
    mean: `${id}.norm.running_mean`,
    deviation: `${id}.norm.deviation`,
  };
  const layer = {
    ...{ id, title: `Conv${number}`, kind: convolution, window },
    tensors: { pre: `${id}.pre`, glimpse: `${id}.glimpse` },
  };
  if (number === 1)
    return {
      ...layer,
      weights: { kernels: "conv1.kernels", bias: "conv1.bias", ...learned },
      keys: { look: "conv1" },
    };
  const names = { map: own("map"), pixel: own("pixel") };
  const mapBelow = own("map", number - 1);
  return {
    ...{ ...layer, below },
    tensors: { ...layer.tensors, below: `${below}.out` },
    weights: {
      kernels: `${id}.convolution.weight`,
      bias: `${id}.convolution.bias`,
      ...learned,
    },
    keys: { ...names, look: id, mapBelow },
    links: {
      ...{ ...names, mapBelow },
      ...{ maps: own("maps"), order: own("order"), scale: own("scale") },
    },
    words: { below: "activation after batch norm" },
  };
}

const primary = {
  id: "primary",
  title: "PrimaryCaps",
  kind: capsules,
  below: "conv4",
  window(/** @type {Model} */ model) {
    const maps = model.tensors.find(({ name }) => name === "conv4.out");
    return { size: maps?.shape[1] ?? 1, step: 1 }; // a kernel covers a whole map
  },
  tensors: {
    below: "conv4.out",
    before: "primary.pre",
    poses: "primary.capsules",
    activation: "primary.lengths",
    moved: "primary.capsules",
    compared: "primary.capsules",
  },
  weights: { kernels: "primary.kernels", bias: "primary.bias" },
  measured: "types",
  keys: { mapBelow: "map4" },
  words: { form: "alone", squash: "exponential" },
};

const routing = {
  id: "routing",
  title: "Routing",
  kind: attentionRouting,
  below: "primary",
  tensors: {
    lengths: "primary.lengths",
    poses: "primary.capsules",
    votes: "votes",
    attention: "routing.attention",
    agreement: "routing.agreement",
    shares: "routing.shares",
    couplings: "routing.couplings",
    capsules: "classes.capsules",
    scores: "scores",
    decoded: "reconstruction",
  },
  weights: { transforms: "classes.transforms", prior: "classes.prior" },
  words: { network: "Efficient-CapsNet" },
};

const classCapsules = {
  id: "classes",
  title: "Classes",
  kind: classes,
  tensors: { scores: "scores", poses: "classes.capsules" },
  words: { form: "vectors", decoder: "reconstruction" },
};

const reconstruction = {
  id: "reconstruction",
  title: "Reconstruction",
  kind: decoder,
  tensors: { poses: "classes.capsules", scores: "scores", image: "reconstruction" },
  measured: "poses",
  words: {
    reach: 2, // a capsule is shorter than 1, so no number moves further than from -1 to 1
    fallback: 0.3,
    onRequest: ["input"],
  },
};

export const network = createNetwork({
  layers: [
    ...[1, 2, 3, LAST].map(convolved),
    primary,
    routing,
    classCapsules,
    reconstruction,
  ],
  own: {
    code: {
      tensor: "classes.capsules",
      isPose: true,
      title: "pose of the class capsule",
    },
    facts: (model) => legibilityFacts(model, model.primary_capsules),
  },
});
