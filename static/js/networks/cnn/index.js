/**
 * A convolutional network with max-pooling (LeCun et al. 1998; Krizhevsky et al. 2012) on
 * the page: its views, its slice of the state, and what fetches its kernels.
 * @import { Network, View } from "../../types.js"
 * @import { LayerDescription } from "../../kinds/types.js"
 * @import { Cnn, CnnModel } from "./types.js"
 */
import { keepFirstKernels } from "../../convolution/first-kernels.js";
import { strongestFirst } from "../../convolution/first-try.js";
import { classes } from "../../kinds/classes/index.js";
import { createNetwork } from "../../kinds/network.js";
import { blend } from "../blend.js";
import { readSlice, writeSlice } from "./link.js";
import { sidesOf } from "./places.js";
import { keepMoved } from "./pool/moved/keep.js";
import { createActions, initialSlice, sizesOf } from "./state.js";
import { glimpseOf, paintUnits } from "./thumbnails.js";
import { keepWeights } from "./weights.js";

/**
 * Check a view's types: its module may read what the view needs, and nothing else.
 * @template {string} Seen
 * @template {string} Need
 * @template {keyof import("../../types.js").NetworkState<Cnn>} [Key=never]
 * @param {View<Cnn, Seen, Need, Key>} given
 */
const view = (given) => given;

/**
 * @param {number} maps
 * @param {number} side
 */
const square = (maps, side) => `${maps}×${side}×${side}`;

/** @param {CnnModel} model */
const shapesOf = (model) => {
  const sizes = sizesOf(model);
  const sides = sidesOf(sizes);
  return {
    conv1: square(sizes.conv1_kernels, sides.conv1),
    pool1: square(sizes.conv1_kernels, sides.pool1),
    conv2: square(sizes.conv2_kernels, sides.conv2),
    pool2: square(sizes.conv2_kernels, sides.pool2),
  };
};

const conv1 = view({
  id: "conv1",
  title: "Conv1",
  shape: (model) => shapesOf(model).conv1,
  thumbnail: glimpseOf("conv1"),
  needs: ["conv1.pre"], // and ReLU is done here: the same numbers, half the way
  requires: ["kernels"],
  tryFirst: strongestFirst("conv1"),
  script: "networks/cnn/conv1/index.js",
  load: () => import("./conv1/index.js"),
});

const pool1 = view({
  id: "pool1",
  title: "Pool1",
  shape: (model) => shapesOf(model).pool1,
  thumbnail: glimpseOf("pool1"),
  needs: ["conv1.relu", "pool1", "pool1.winners", "scores"],
  tryFirst: {
    words: "Move the image by one pixel. Does pooling hide the move?",
    button: "Move it right",
    at: "[data-moved]",
    change: () => ({ shift: { down: 0, right: 1 } }),
  },
  script: "networks/cnn/pool/first.js",
  load: () => import("./pool/first.js"),
});

const conv2 = view({
  id: "conv2",
  title: "Conv2",
  shape: (model) => shapesOf(model).conv2,
  thumbnail: glimpseOf("conv2"),
  needs: ["pool1", "conv2.pre"],
  requires: ["kernels2"],
  tryFirst: strongestFirst("conv2"),
  script: "networks/cnn/conv2/index.js",
  load: () => import("./conv2/index.js"),
});

const pool2 = view({
  id: "pool2",
  title: "Pool2",
  shape: (model) => shapesOf(model).pool2,
  thumbnail: glimpseOf("pool2"),
  needs: ["conv2.relu", "pool2", "pool2.winners", "scores"],
  tryFirst: {
    words: "See what this layer throws away.",
    button: "Show it",
    at: "[data-maps] canvas",
    change: ({ pooling }) => ({ pooling: { ...pooling, shown: "lost" } }),
  },
  script: "networks/cnn/pool/second.js",
  load: () => import("./pool/second.js"),
});

const hidden = view({
  id: "hidden",
  title: "Hidden layer",
  shape: (model) => `${sizesOf(model).hidden_units}`,
  thumbnail: { needs: ["hidden"], paint: paintUnits },
  needs: ["pool2", "hidden"],
  requires: ["dense", "output"],
  tryFirst: {
    words: "See which units add most to the class in focus.",
    button: "Put them first",
    at: "[data-units] canvas",
    change: () => ({ units: { shown: "given", order: "given" } }),
  },
  script: "networks/cnn/hidden/index.js",
  load: () => import("./hidden/index.js"),
});

/** @type {LayerDescription} */
const probabilities = {
  id: "probabilities",
  title: "Probabilities",
  kind: classes,
  tensors: { scores: "scores", logits: "logits", below: "hidden" },
  weights: { weights: "logits.weight", bias: "logits.bias" },
  words: { form: "probabilities", units: "hidden" },
};

/** @type {Network<Cnn>} */
const rest = {
  views: [conv1, pool1, conv2, pool2, hidden],
  slice: initialSlice,
  actions: createActions,
  link: { write: writeSlice, read: readSlice },
  moving: () => import("./moving.js"),
  tasks: () => import("./tasks.js"),
  comparison: {
    needs: ["hidden"],
    load: () => import("./compared/index.js"),
  },
  code: { tensor: "hidden", isPose: false, title: "hidden layer" },
  start(store, services) {
    keepFirstKernels(store, services);
    keepWeights(store, services);
    keepMoved(store, services);
  },
};

export const network = blend(createNetwork({ layers: [probabilities] }), rest, [
  "conv1",
  "pool1",
  "conv2",
  "pool2",
  "hidden",
  "probabilities",
]);
