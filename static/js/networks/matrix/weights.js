/**
 * Fetches what the layers that route have learned, each once for each model and when a
 * view first needs it.
 * @import { NetworkState, NetworkStore, Services } from "../../types.js"
 * @import { Above, Matrix, MatrixModel } from "./types.js"
 */
import { latest } from "../../lib/timing.js";

/** The views that need a layer's weights. */
const VIEWS = /** @type {const} */ ({
  caps1: ["primary"],
  caps2: ["caps1"],
  classes: ["caps2"],
});

const PARTS = ["transforms", "beta_u", "beta_a", "inverse_temperature"];

/**
 * @param {NetworkStore<Matrix>} store
 * @param {Services} services
 */
export function keepLearned(store, { server, guarded }) {
  for (const layer of /** @type {const} */ (["caps1", "caps2", "classes"])) {
    const ask = latest(
      guarded(async (/** @type {MatrixModel} */ model) => {
        const [transforms, betaU, betaA, lambda] = await Promise.all(
          PARTS.map(async (part) => {
            const name = `${layer}.${part}`;
            return (await server.fetchOwnTensors(model, `weights/${name}`))[name];
          }),
        );
        const learned = {
          transforms,
          betaU: betaU.data,
          betaA: betaA.data,
          lambda: lambda.data[0],
        };
        store.keep(model, { [`${layer}Learned`]: learned });
      }),
    );
    store.watch(["model", "view"], (state) => {
      const isMissing = store.get()?.[`${layer}Learned`] === null;
      if (isMissing && isNeeded(state, layer)) ask(state.model);
    });
  }
}

/**
 * @param {Pick<NetworkState<Matrix>, "view">} state
 * @param {Above} layer
 */
export function isNeeded({ view }, layer) {
  return /** @type {readonly string[]} */ (VIEWS[layer]).includes(view);
}
