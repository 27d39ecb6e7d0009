/**
 * Fetches the kernels that read Conv1's maps into a type of primary capsules while a
 * capsule of that type is looked at.
 * @import { NetworkState, NetworkStore, Services } from "../../../types.js"
 * @import { CapsModel, CapsNet } from "../types.js"
 */
import { latest } from "../../../lib/timing.js";
import { capsulePlace } from "../places.js";
import { sizesOf } from "../state.js";

/** @typedef {{ model: CapsModel, type: number }} Wish */

/**
 * @param {NetworkStore<CapsNet>} store
 * @param {Services} services
 */
export function keepPrimaryKernels(store, { server, guarded }) {
  const ask = latest(
    guarded(async (/** @type {Wish} */ { model, type }) => {
      const tensors = await server.fetchOwnTensors(model, `kernels/primary/${type}`);
      const { "primary.kernels": kernels, "primary.bias": bias } = tensors;
      store.keep(model, { primaryKernels: { type, kernels, bias } });
    }),
  );
  store.watch(["model", "view", "capsule", "primaryKernels", "seesTree"], (state) => {
    const wish = primaryKernelsWish(state);
    if (wish !== null) ask(wish);
  });
}

/**
 * The kernels of the chosen capsule's type, while that capsule is looked at.
 * @param {Pick<NetworkState<CapsNet>, "model" | "view" | "capsule" | "primaryKernels" | "seesTree">} state
 * @returns {Wish | null}
 */
export function primaryKernelsWish({ model, view, capsule, primaryKernels, seesTree }) {
  if (view !== "primary" && !(view === "routing" && seesTree)) return null;
  const { type } = capsulePlace(sizesOf(model), capsule);
  return primaryKernels?.type === type ? null : { model, type };
}
