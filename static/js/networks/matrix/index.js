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
import { emRouting, routes } from "../../kinds/routing/em/kind.js";
import { largestOf } from "../../lib/arithmetic.js";
import { blend } from "../blend.js";
import { readSlice, writeSlice } from "./link.js";
import { gridOf, sidesOf } from "./places.js";
import { createActions, initialSlice, sizesOf } from "./state.js";
import { activationsOf, conv1Glimpse } from "./thumbnails.js";
import { keepLearned } from "./weights.js";

/** Of layers that are not made of kinds yet. @type {LayerDescription["kind"]} */
const NONE = {
  ...{ name: "", needs: [], script: "" },
  thumbnail: { needs: [], paint() {} },
  load: async () => ({ mount() {} }),
};

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

/** @param {string} id @param {string | undefined} below */
const beneath = (id, below) => ({
  ...{ id, title: id, kind: NONE, tensors: {}, below },
  window: windowsFor(id),
});

/** @param {string} id @returns {LayerDescription["window"]} */
const windowsFor = (id) => (model) => {
  const sizes = sizesOf(/** @type {MatrixModel} */ (model));
  const { unread } = sidesOf(sizes);
  return {
    conv1: { size: sizes.kernel_size, step: 2, first: Math.ceil(unread / 2) },
    primary: { size: 1, step: 1 },
    caps1: { size: sizes.capsule_kernel, step: 2 },
    caps2: { size: sizes.capsule_kernel, step: 1 },
  }[/** @type {"conv1"} */ (id)];
};

const routed = routes(["classes", "caps2"], ["caps2", "caps1"], ["caps1", "primary"]);

/** @type {LayerDescription} */
const routing = {
  id: "routing",
  title: "EM routing",
  kind: emRouting,
  below: "caps2",
  tensors: routed.tensors,
  weights: routed.weights,
  words: { network: "matrix capsules", routes: routed.routes },
};

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
  views: [conv1, primary, caps1, caps2],
  slice: initialSlice,
  actions: createActions,
  link: { write: writeSlice, read: readSlice },
  moving: () => import("./moving.js"),
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

const made = createNetwork({
  layers: [
    beneath("conv1", undefined),
    beneath("primary", "conv1"),
    beneath("caps1", "primary"),
    beneath("caps2", "caps1"),
    routing,
    classCapsules,
    reconstruction,
  ],
});

export const network = blend({ ...made, views: made.views.slice(4) }, rest, [
  "conv1",
  "primary",
  "caps1",
  "caps2",
  "routing",
  "classes",
  "reconstruction",
]);
