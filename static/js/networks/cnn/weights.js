/**
 * Fetches the weights of the layers above Conv1, each once for each model and when a view
 * first needs them: those of the hidden layer are two megabytes.
 * @import { NetworkStore, Services, Tensor } from "../../types.js"
 * @import { Cnn, CnnModel, CnnSlice } from "./types.js"
 */
import { latest } from "../../lib/timing.js";
import { sidesOf } from "./places.js";
import { sizesOf } from "./state.js";

/**
 * What a layer has learned, by the API's names.
 * @typedef {{ weights: Tensor, bias: Tensor }} Learned
 */

/**
 * @typedef {object} Layer
 * @property {"kernels2" | "dense" | "output"} key where they stand in the slice
 * @property {string} name of the layer in the API
 * @property {readonly string[]} views that need them
 * @property {(learned: Learned, model: CnnModel) => Partial<CnnSlice>} read
 */

/** @type {readonly Layer[]} */
const LAYERS = [
  {
    key: "kernels2",
    name: "conv2",
    views: ["conv2"],
    read: ({ weights, bias }) => ({ kernels2: { kernels: weights, bias } }),
  },
  {
    key: "dense",
    name: "hidden",
    views: ["hidden"],
    read: ({ weights, bias }, model) => ({
      dense: { kernels: asKernels(weights, model), bias },
    }),
  },
  {
    key: "output",
    name: "logits",
    views: ["hidden"],
    read: (learned) => ({ output: learned }),
  },
];

/**
 * @param {NetworkStore<Cnn>} store
 * @param {Services} services
 */
export function keepWeights(store, { server, guarded }) {
  for (const { key, name, views, read } of LAYERS) {
    const ask = latest(
      guarded(async (/** @type {CnnModel} */ model) => {
        const [weights, bias] = await Promise.all(
          [`${name}.weight`, `${name}.bias`].map(async (each) => {
            const tensors = await server.fetchOwnTensors(model, `weights/${each}`);
            return tensors[each];
          }),
        );
        store.keep(model, read({ weights, bias }, model));
      }),
    );
    store.watch(["model", "view"], ({ model, view }) => {
      if (views.includes(view) && store.get()?.[key] === null) ask(model);
    });
  }
}

/**
 * The hidden layer's weights by the map of Pool2 that they read: as if each unit were a
 * kernel as large as the maps.
 * @param {Tensor} weights (units, maps × side × side), map by map
 * @param {CnnModel} model
 * @returns {Tensor} (units, maps, side, side), the same numbers
 */
export function asKernels({ shape: [units], data }, model) {
  const sizes = sizesOf(model);
  const { pool2: side } = sidesOf(sizes);
  return { shape: [units, sizes.conv2_kernels, side, side], data };
}
