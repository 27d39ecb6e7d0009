/**
 * Fetches the kernels that read the maps below into a type of capsules, while a capsule of
 * that type is looked at.
 * @import { KeepingStore, Services } from "../types.js"
 * @import { CapsulesState } from "./types.js"
 */
import { latest } from "../../lib/timing.js";

/**
 * @template {Pick<CapsulesState, "model" | "kernels">} State
 * @param {KeepingStore<State>} store of a layer that shows such a capsule
 * @param {Services} services
 * @param {string} id of the capsules' layer
 * @param {(state: State) => number | null} typeSeen the type whose kernels are shown;
 *   null while none are
 */
export function keepKernels(store, { server, guarded }, id, typeSeen) {
  const ask = latest(
    guarded(
      async (/** @type {Pick<CapsulesState, "model"> & { type: number }} */ wish) => {
        const { model, type } = wish;
        const found = await server.fetchOwnTensors(model, `kernels/${id}/${type}`);
        const kernels = {
          type,
          kernels: found[`${id}.kernels`],
          bias: found[`${id}.bias`],
        };
        store.keep(model, /** @type {Partial<State>} */ ({ kernels }));
      },
    ),
  );
  store.subscribe(check);
  check();

  function check() {
    const state = store.get();
    const type = state && typeSeen(state);
    if (state === null || type === null || state.kernels?.type === type) return;
    ask({ model: state.model, type });
  }
}
