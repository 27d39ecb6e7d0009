/**
 * Fetches the kernels that read the image, once for each model.
 * @import { Model, Services, Watch } from "../types.js"
 * @import { Kernels } from "./types.js"
 */
import { latest } from "../lib/timing.js";

/**
 * @typedef {object} KernelStore
 * @property {() => { model: Model, kernels: Kernels | null } | null} get
 * @property {(model: Model, patch: { kernels: Kernels }) => void} keep
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
      store.keep(model, { kernels: { kernels, bias } });
    }),
  );
  store.watch(["model"], ({ model }) => {
    if (store.get()?.kernels === null) ask(model);
  });
}
