/**
 * The networks that the server describes: layers, each of a kind. Nothing else on the page
 * knows what a network's layers are called or how many there are.
 * @import { Kind, LayerDescription, Model, Network, Reach } from "./types.js"
 */
import { capsules } from "./capsules/index.js";
import { classes } from "./classes/index.js";
import { convolution } from "./convolution/index.js";
import { decoder } from "./decoder/index.js";
import { dense } from "./dense/index.js";
import { legibilityFacts } from "./legibility.js";
import { createNetwork } from "./network.js";
import { pooling } from "./pooling/index.js";
import { attentionRouting } from "./routing/attention/kind.js";
import { dynamicRouting } from "./routing/dynamic/kind.js";
import { emRouting } from "./routing/em/kind.js";
import { tensor } from "./tensor/index.js";

/** By name; those of routing by form. @type {Readonly<Record<string, Kind>>} */
const KINDS = {
  convolution,
  pooling,
  dense,
  capsules,
  classes,
  decoder,
  tensor,
  dynamic: dynamicRouting,
  em: emRouting,
  attention: attentionRouting,
};

/** By their description: the same for the same. @type {Map<string, Network>} */
const networks = new Map();

/**
 * @param {Model} model
 * @returns {Network} always the same for models with the same layers
 */
export function networkOf(model) {
  const key = JSON.stringify(model.layers);
  const network = networks.get(key) ?? buildNetwork(model);
  networks.set(key, network);
  return network;
}

/** @param {Model} model @returns {Network} */
function buildNetwork(model) {
  const layers = model.layers.map(described);
  const code = codeOf(layers);
  return createNetwork({
    layers,
    model,
    extras: { ...(code && { code }), facts: (model) => legibilityFacts(model, layers) },
  });
}

/** @param {Model["layers"][number]} layer @returns {LayerDescription} */
function described({ kind, below, window, form, order, measured, ...layer }) {
  const layerKind = KINDS[kind === "routing" ? (form ?? "") : kind];
  if (layerKind === undefined) throw new Error(`no kind of layer is called ${kind}`);
  return {
    ...layer,
    kind: layerKind,
    ...(below !== null && { below }),
    ...(form !== null && { form }),
    ...(order !== null && { order }),
    ...(measured !== null && { measured }),
    ...(window && { window: () => /** @type {Reach} */ (window) }),
  };
}

/**
 * What the Lab follows: the poses of the classes, else what their logits are made of.
 * @param {readonly LayerDescription[]} layers
 * @returns {Network["code"]}
 */
function codeOf(layers) {
  const answer = layers.find(({ kind }) => kind === classes);
  const { poses, below } = answer?.tensors ?? {};
  if (poses) return { tensor: poses, isPose: true, title: "pose of the class capsule" };
  const units = layers.find(({ id }) => id === answer?.below);
  if (!below || units?.kind !== dense) return undefined;
  return { tensor: below, isPose: false, title: units.title.toLowerCase() };
}
