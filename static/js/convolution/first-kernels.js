/**
 * Fetches the kernels that read the image, once for each model.
 * @import { Model, Services, Watch } from "../types.js"
 * @import { Kernels } from "./types.js"
 */
import { latest } from "../lib/latest.js";

/**
 * @typedef {object} KernelStore
 * @property {() => { model: Model, kernels: Kernels | null } | null} get
 * @property {(patch: { kernels: Kernels }) => void} set
 * @property {Watch<{ model: Model }>} watch
 */

/**
 * @param {KernelStore} store
 * @param {Services} services
 */
export function keepFirstKernels(store, { server, guarded }) {
  const ask = latest(
    guarded(async (/** @type {Model} */ model) => {
      const tensors = await server.fetchOwnTensors(model, "kernels");
      const { "conv1.kernels": kernels, "conv1.bias": bias } = tensors;
      if (store.get()?.model === model) store.set({ kernels: { kernels, bias } });
    }),
  );
  store.watch(["model"], ({ model }) => {
    if (store.get()?.kernels === null) ask(model);
  });
}
