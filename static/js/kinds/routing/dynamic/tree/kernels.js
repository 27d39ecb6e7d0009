/**
 * Fetches the kernels that read the maps below into a type of capsules, while a capsule of
 * that type is looked at.
 * @import { KeepingStore, Layer, Services } from "../../../types.js"
 * @import { DynamicState, TypeKernels } from "../types.js"
 */
import { latest } from "../../../../lib/timing.js";

/** Whether kernels are those of a type. @param {Pick<TypeKernels, "type">} kernels @param {number} type */
export const isOf = (kernels, type) => kernels.type === null || kernels.type === type;

/**
 * @template {Pick<DynamicState, "model" | "kernels">} State
 * @param {KeepingStore<State>} store of a layer that shows such a capsule
 * @param {Services} services
 * @param {Pick<Layer, "id" | "weights">} layer the capsules'; where its kernels are among its
 *   weights, all come at once
 * @param {(state: State) => number | null} typeSeen the type whose kernels are shown;
 *   null while none are
 */
export function keepKernels(store, { server, guarded }, { id, weights }, typeSeen) {
  const ask = latest(
    guarded(
      async (/** @type {Pick<DynamicState, "model"> & { type: number }} */ wish) => {
        const { model } = wish;
        const type = weights?.kernels ? null : wish.type;
        const paths = weights?.kernels
          ? [`weights/${weights.kernels}`, `weights/${weights.bias}`]
          : [`kernels/${id}/${type}`];
        const found = await Promise.all(
          paths.map((path) => server.fetchOwnTensors(model, path)),
        );
        const all = Object.assign({}, ...found);
        const { kernels: name = `${id}.kernels`, bias = `${id}.bias` } = weights ?? {};
        const kernels = { type, kernels: all[name], bias: all[bias] };
        store.keep(model, /** @type {Partial<State>} */ ({ kernels }));
      },
    ),
  );
  store.subscribe(check);
  check();

  function check() {
    const state = store.get();
    const type = state && typeSeen(state);
    if (state === null || type === null) return;
    if (state.kernels === null || !isOf(state.kernels, type))
      ask({ model: state.model, type });
  }
}
