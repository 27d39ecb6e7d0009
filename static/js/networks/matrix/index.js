/**
 * Matrix capsules with EM routing (Hinton, Sabour & Frosst 2018) on the page: its views,
 * its slice of the state, and what fetches its weights.
 * @import { Network, TraceOf, View } from "../../types.js"
 * @import { LayerDescription } from "../../kinds/types.js"
 * @import { LayerName, Matrix, MatrixModel } from "./types.js"
 */
import { keepFirstKernels } from "../../convolution/first-kernels.js";
import { strongestFirst } from "../../convolution/first-try.js";
import { classes } from "../../kinds/classes/index.js";
import { decoder } from "../../kinds/decoder/index.js";
import { createNetwork } from "../../kinds/network.js";
import { largestOf } from "../../lib/arithmetic.js";
import { blend } from "../blend.js";
import { readSlice, writeSlice } from "./link.js";
import { gridOf, sidesOf } from "./places.js";
import { createActions, initialSlice, sizesOf } from "./state.js";
import { activationsOf, conv1Glimpse, paintCourse } from "./thumbnails.js";
import { routingWanted } from "./wants.js";
import { keepLearned } from "./weights.js";

/**
 * Check a view's types: its module may read what the view needs, and nothing else.
 * @template {string} Seen
 * @template {string} Need
 * @template {keyof import("../../types.js").NetworkState<Matrix>} [Key=never]
 * @param {View<Matrix, Seen, Need, Key>} given
 */
const view = (given) => given;

/** @param {LayerName} layer */
const shapeOf = (layer) => (/** @type {MatrixModel} */ model) => {
  const { types, side } = gridOf(sizesOf(model), layer);
  return `${types}×${side}×${side}×4×4`;
};

/**
 * @template {LayerName} Layer
 * @param {Layer} layer
 */
const mostActive = (layer) => ({
  words: "What does the most active of all capsules see?",
  button: "Choose it",
  at: "[data-type-grid] canvas",
  change: (/** @type {{ trace: TraceOf<`${Layer}.activations`> }} */ { trace }) =>
    /** @type {{ [key in Layer]: number }} */ ({
      [layer]: largestOf(trace.tensors[`${layer}.activations`].data),
    }),
});

const conv1 = view({
  id: "conv1",
  title: "Conv1",
  shape(model) {
    const sizes = sizesOf(model);
    const { conv1: side } = sidesOf(sizes);
    return `${sizes.conv1_kernels}×${side}×${side}`;
  },
  thumbnail: conv1Glimpse,
  needs: ["conv1.pre"], // and ReLU is done here: the same numbers, half the way
  requires: ["kernels"],
  tryFirst: strongestFirst("conv1"),
  script: "networks/matrix/conv1/index.js",
  load: () => import("./conv1/index.js"),
});

const primary = view({
  id: "primary",
  title: "Primary",
  shape: shapeOf("primary"),
  thumbnail: activationsOf("primary"),
  needs: ["primary.poses", "primary.activations"],
  requires: ["caps1Learned"],
  tryFirst: mostActive("primary"),
  script: "networks/matrix/layer/primary.js",
  load: () => import("./layer/primary.js"),
});

const caps1 = view({
  id: "caps1",
  title: "Caps1",
  shape: shapeOf("caps1"),
  thumbnail: activationsOf("caps1"),
  needs: ["caps1.poses", "caps1.activations"],
  requires: ["caps2Learned"],
  tryFirst: mostActive("caps1"),
  script: "networks/matrix/layer/caps1.js",
  load: () => import("./layer/caps1.js"),
});

const caps2 = view({
  id: "caps2",
  title: "Caps2",
  shape: shapeOf("caps2"),
  thumbnail: activationsOf("caps2"),
  needs: ["caps2.poses", "caps2.activations"],
  requires: ["classesLearned"],
  tryFirst: mostActive("caps2"),
  script: "networks/matrix/layer/caps2.js",
  load: () => import("./layer/caps2.js"),
});

const routing = view({
  id: "routing",
  title: "EM routing",
  shape(model) {
    const { types, side } = gridOf(sizesOf(model), "caps2");
    return `${types * side ** 2}→${model.classes}`;
  },
  thumbnail: { needs: ["routing.activations"], paint: paintCourse },
  needs: [
    "caps2.activations",
    "votes",
    "routing.assignments",
    "routing.means",
    "routing.deviations",
    "routing.activations",
    "routing.costs",
    "scores",
  ],
  requires: ["classesLearned"],
  isBeside: true,
  tryFirst: {
    words: "Go back to where routing starts.",
    button: "Show iteration 1",
    at: "[data-step]",
    change: () => ({ step: 1 }),
  },
  script: "networks/matrix/routing/index.js",
  load: () => import("./routing/index.js"),
});

/** @type {LayerDescription} */
const classCapsules = {
  id: "classes",
  title: "Classes",
  kind: classes,
  tensors: {
    scores: "scores",
    poses: "classes.poses",
    history: "routing.activations",
    means: "routing.means",
  },
  words: { form: "matrices" },
};

/** @type {LayerDescription} */
const reconstruction = {
  id: "reconstruction",
  title: "Reconstruction",
  kind: decoder,
  tensors: { poses: "classes.poses", scores: "scores", image: "reconstruction" },
  words: {
    isMatrix: true,
    reach: 20, // poses are not bounded; no decoder needs a number moved further
    fallback: 2,
  },
};

/** @type {Network<Matrix>} */
const rest = {
  views: [conv1, primary, caps1, caps2, routing],
  slice: initialSlice,
  actions: createActions,
  options: ({ iterations }) => ({ iterations }),
  wants: routingWanted,
  link: { write: writeSlice, read: readSlice },
  moving: () => import("./moving.js"),
  routing: () => import("./beside.js"),
  comparison: {
    needs: [
      "primary.activations",
      "caps1.activations",
      "caps2.activations",
      "routing.assignments",
    ],
    load: () => import("./compared/index.js"),
  },
  code: { tensor: "classes.poses", isPose: true, title: "pose of the class capsule" },
  start(store, services) {
    keepFirstKernels(store, services);
    keepLearned(store, services);
  },
};

export const network = blend(
  createNetwork({ layers: [classCapsules, reconstruction] }),
  rest,
  ["conv1", "primary", "caps1", "caps2", "routing", "classes", "reconstruction"],
);
