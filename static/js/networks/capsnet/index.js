/**
 * The capsule network with routing by agreement (Sabour, Frosst & Hinton 2017) on the
 * page: its views, its slice of the state, and what keeps its answers current.
 * @import { Network, View } from "../../types.js"
 * @import { LayerDescription } from "../../kinds/types.js"
 * @import { CapsNet } from "./types.js"
 */
import { keepFirstKernels } from "../../convolution/first-kernels.js";
import { strongestFirst } from "../../convolution/first-try.js";
import { classes } from "../../kinds/classes/index.js";
import { decoder } from "../../kinds/decoder/index.js";
import { createNetwork } from "../../kinds/network.js";
import { dynamicRouting } from "../../kinds/routing/dynamic/kind.js";
import { largestOf } from "../../lib/arithmetic.js";
import { blend } from "../blend.js";
import { keepPrimaryKernels } from "./answers/kernels.js";
import { keepMeasured } from "./answers/measured.js";
import { factsOf } from "./facts.js";
import { readSlice, writeSlice } from "./link.js";
import { fieldOfCapsule, fieldOfPixel, sidesOf } from "./places.js";
import { createActions, initialSlice, sizesOf } from "./state.js";
import * as thumbnails from "./thumbnails.js";

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
 * @template {keyof import("../../types.js").NetworkState<CapsNet>} [Key=never]
 * @param {View<CapsNet, Seen, Need, Key>} given
 */
const view = (given) => given;

const conv1 = view({
  id: "conv1",
  title: "Conv1",
  shape(model) {
    const sizes = sizesOf(model);
    const { conv1: side } = sidesOf(sizes);
    return `${sizes.conv1_kernels}×${side}×${side}`;
  },
  thumbnail: {
    needs: ["conv1.glimpse"],
    paint: thumbnails.paintMaps,
    hover: {
      layout: thumbnails.mapTiles,
      field: (model, row, column) => fieldOfPixel(sizesOf(model), row, column),
    },
  },
  needs: ["conv1.pre"], // and ReLU is done here: the same numbers, half the way
  requires: ["kernels"],
  tryFirst: strongestFirst("conv1"),
  script: "networks/capsnet/conv1/index.js",
  load: () => import("./conv1/index.js"),
});

const primary = view({
  id: "primary",
  title: "PrimaryCaps",
  shape(model) {
    const sizes = sizesOf(model);
    const { primary: side } = sidesOf(sizes);
    return `${sizes.primary_types}×${side}×${side}×${sizes.primary_dim}`;
  },
  thumbnail: {
    needs: ["primary.lengths"],
    paint: thumbnails.paintTypes,
    hover: {
      layout: thumbnails.typeTiles,
      field: (model, row, column) => fieldOfCapsule(sizesOf(model), row, column),
    },
  },
  needs: ["conv1.relu", "primary.pre", "primary.capsules", "primary.lengths"],
  tryFirst: {
    words: "What does the longest of all capsules see?",
    button: "Choose it",
    at: "[data-type-grid] canvas",
    change: ({ trace }) => ({
      capsule: largestOf(trace.tensors["primary.lengths"].data),
      followsStrongest: false,
    }),
  },
  script: "networks/capsnet/primary/index.js",
  load: () => import("./primary/index.js"),
});

/** @type {readonly LayerDescription[]} */
const below = [
  {
    ...{ id: "conv1", title: "Conv1", kind: NONE, tensors: {} },
    window: ({ card }) => ({ size: sizesIn(card).kernel_size, step: 1 }),
  },
  {
    ...{ id: "primary", title: "PrimaryCaps", kind: NONE, tensors: {}, below: "conv1" },
    window: ({ card }) => ({
      size: sizesIn(card).kernel_size,
      step: sizesIn(card).primary_stride,
    }),
  },
];

/** @param {import("../../types.js").Card} card @returns {any} */
const sizesIn = ({ config }) => config;

/** @type {LayerDescription} */
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
    scores: "digits.lengths",
    decoded: "reconstruction",
    types: "routing.types",
    votes: "votes",
    pre: "primary.pre",
    found: "primary.capsules",
    beneath: "conv1.relu",
  },
  keys: { look: "routed", kernels: "primaryKernels" },
  words: {
    network: "the CapsNet",
    beneath: "Conv1",
    portrait: () => import("./portraits/index.js"),
  },
};

/** @type {LayerDescription} */
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

/** @type {LayerDescription} */
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

/** @type {Network<CapsNet>} */
const rest = {
  views: [conv1, primary],
  slice: initialSlice,
  actions: createActions,
  link: { write: writeSlice, read: readSlice },
  moving: () => import("./moving.js"),
  tasks: () => import("./tasks.js"),
  comparison: {
    needs: ["routing.couplings", "routing.agreement", "routing.capsules"],
    load: () => import("./compared/index.js"),
  },
  code: {
    tensor: "digits.capsules",
    isPose: true,
    title: "pose of the class capsule",
  },
  start(store, services) {
    keepFirstKernels(store, services);
    keepPrimaryKernels(store, services);
    keepMeasured(store, services);
  },
  facts: factsOf,
};

const made = createNetwork({ layers: [...below, routing, digits, reconstruction] });

export const network = blend({ ...made, views: made.views.slice(2) }, rest, [
  "conv1",
  "primary",
  "routing",
  "digits",
  "reconstruction",
]);
