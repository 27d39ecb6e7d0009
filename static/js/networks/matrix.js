/**
 * Matrix capsules with EM routing (Hinton, Sabour & Frosst 2018): its layers.
 * @import { Model } from "../types.js"
 * @import { Reach } from "../kinds/types.js"
 */
import { capsules } from "../kinds/capsules/index.js";
import { classes } from "../kinds/classes/index.js";
import { convolution } from "../kinds/convolution/index.js";
import { decoder } from "../kinds/decoder/index.js";
import { createNetwork } from "../kinds/network.js";
import { emRouting, routes } from "../kinds/routing/em/kind.js";

/** Units from one window to the next; `model/matrix/config.py`. */
const STEPS = { conv1: 2, caps1: 2, caps2: 1 };

/** @param {Model} model @returns {any} the sizes of `model/matrix/config.py` */
const sizesOf = ({ card }) => card.config;

const conv1 = {
  id: "conv1",
  title: "Conv1",
  kind: convolution,
  /**
   * Pixels that no window of Caps1 would reach are left out, half of them on either side.
   * @param {Model} model
   * @returns {Reach}
   */
  window(model) {
    const { kernel_size: size, capsule_kernel: window } = sizesOf(model);
    const [rows] = model.input_shape.slice(-2);
    const least = STEPS.conv1 * (window - 1) + size;
    const unread = (rows - least) % (STEPS.conv1 * STEPS.caps1);
    return { size, step: STEPS.conv1, first: Math.ceil(unread / 2) };
  },
  tensors: { pre: "conv1.pre", glimpse: "conv1.glimpse" },
  weights: { kernels: "conv1.kernels", bias: "conv1.bias" },
  keys: { look: "conv1" },
};

/**
 * A layer of capsules on a grid.
 * @param {object} layer
 * @param {string} layer.id
 * @param {string} layer.title
 * @param {string} layer.below
 * @param {string} layer.above what its capsules vote for
 * @param {(model: Model) => Reach} layer.window
 */
const grid = ({ id, title, below, above, window }) => ({
  ...{ id, title, kind: capsules, below, window },
  tensors: { poses: `${id}.poses`, activation: `${id}.activations` },
  weights: { transforms: `${above}.transforms` },
  keys: { capsule: id, above },
  links: { capsule: id },
  words: { above },
});

/** @param {"caps1" | "caps2"} id @returns {(model: Model) => Reach} */
const windowOf = (id) => (model) => ({
  size: sizesOf(model).capsule_kernel,
  step: STEPS[id],
});

const primary = grid({
  ...{ id: "primary", title: "Primary", below: "conv1", above: "caps1" },
  window: () => ({ size: 1, step: 1 }),
});

const caps1 = grid({
  ...{ id: "caps1", title: "Caps1", below: "primary", above: "caps2" },
  window: windowOf("caps1"),
});

const caps2 = grid({
  ...{ id: "caps2", title: "Caps2", below: "caps1", above: "classes" },
  window: windowOf("caps2"),
});

const routed = routes(["classes", "caps2"], ["caps2", "caps1"], ["caps1", "primary"]);

const routing = {
  id: "routing",
  title: "EM routing",
  kind: emRouting,
  below: "caps2",
  tensors: routed.tensors,
  weights: routed.weights,
  words: { network: "matrix capsules", routes: routed.routes },
};

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

export const network = createNetwork({
  layers: [
    conv1,
    { ...primary, tensors: { ...primary.tensors, moved: "primary.poses" } },
    caps1,
    caps2,
    routing,
    classCapsules,
    reconstruction,
  ],
  own: {
    code: { tensor: "classes.poses", isPose: true, title: "pose of the class capsule" },
  },
});
