/**
 * A convolutional network with max-pooling (LeCun et al. 1998; Krizhevsky et al. 2012):
 * its layers.
 * @import { Model } from "../types.js"
 */
import { classes } from "../kinds/classes/index.js";
import { convolution } from "../kinds/convolution/index.js";
import { dense } from "../kinds/dense/index.js";
import { createNetwork } from "../kinds/network.js";
import { pooling } from "../kinds/pooling/index.js";

/** @param {Model} model */
const kernel = ({ card }) => ({ size: card.config.kernel_size ?? 1, step: 1 });
const pool = () => ({ size: 2, step: 2 });

const conv1 = {
  id: "conv1",
  title: "Conv1",
  kind: convolution,
  window: kernel,
  tensors: { pre: "conv1.pre", glimpse: "conv1.glimpse" },
  weights: { kernels: "conv1.kernels", bias: "conv1.bias" },
  keys: { look: "conv1" },
};

const pool1 = {
  id: "pool1",
  title: "Pool1",
  kind: pooling,
  below: "conv1",
  window: pool,
  tensors: {
    below: "conv1.relu",
    values: "pool1",
    winners: "pool1.winners",
    glimpse: "pool1.glimpse",
    scores: "scores",
  },
  keys: { look: "pooling" },
  words: { try: "move" },
};

const conv2 = {
  id: "conv2",
  title: "Conv2",
  kind: convolution,
  below: "pool1",
  window: kernel,
  tensors: { below: "pool1", pre: "conv2.pre", glimpse: "conv2.glimpse" },
  weights: { kernels: "conv2.weight", bias: "conv2.bias" },
  keys: { map: "map2", pixel: "pixel2", look: "conv2", mapBelow: "map" },
  links: {
    ...{ map: "map2", pixel: "pixel2", mapBelow: "map" },
    ...{ maps: "maps2", order: "order2", scale: "scale2" },
  },
  words: { below: "activation after pooling" },
};

const pool2 = {
  id: "pool2",
  title: "Pool2",
  kind: pooling,
  below: "conv2",
  window: pool,
  tensors: {
    below: "conv2.relu",
    values: "pool2",
    winners: "pool2.winners",
    glimpse: "pool2.glimpse",
    scores: "scores",
  },
  keys: { map: "map2", pixel: "pixel2", look: "pooling" },
  links: { map: "map2", pixel: "pixel2" },
  words: { try: "lost" },
};

const hidden = {
  id: "hidden",
  title: "Hidden layer",
  kind: dense,
  below: "pool2",
  tensors: { below: "pool2", values: "hidden" },
  weights: {
    kernels: "hidden.weight",
    bias: "hidden.bias",
    output: "logits.weight",
    outputBias: "logits.bias",
  },
  keys: { mapBelow: "map2", look: "units", beneath: "inputs" },
  links: { mapBelow: "map2" },
  words: { below: "activation after pooling" },
};

const probabilities = {
  id: "probabilities",
  title: "Probabilities",
  kind: classes,
  tensors: { scores: "scores", logits: "logits", below: "hidden" },
  weights: { weights: "logits.weight", bias: "logits.bias" },
  words: { form: "probabilities", units: "hidden" },
};

export const network = createNetwork({
  layers: [conv1, pool1, conv2, pool2, hidden, probabilities],
  own: { code: { tensor: "hidden", isPose: false, title: "hidden layer" } },
});
