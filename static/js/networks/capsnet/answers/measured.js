/**
 * Fetches what was measured of the types of primary capsules, when a view first shows it.
 * @import { NetworkStore, Services } from "../../../types.js"
 * @import { CapsModel, CapsNet } from "../types.js"
 */
import { latest } from "../../../lib/timing.js";

/**
 * @param {NetworkStore<CapsNet>} store
 * @param {Services} services
 */
export function keepMeasured(store, { server, guarded }) {
  const ask = latest(
    guarded(async (/** @type {CapsModel} */ model) => {
      const found = await server.fetchOwnTensors(model, "measured/types");
      /** @param {string} name */
      const own = (name) => found[`types.${name}`];
      store.keep(model, {
        portraits: {
          mean: own("mean"),
          ends: own("ends"),
          lengths: own("lengths"),
          best: own("best"),
          decoded: own("decoded"),
          support: own("support"),
        },
      });
    }),
  );
  store.watch(["model", "view", "portraits"], ({ model, view, portraits }) => {
    const isShown = view === "primary" || view === "routing";
    const { measured = [] } = model;
    if (
      isShown &&
      portraits === null &&
      measured.some(({ name }) => name.startsWith("types."))
    )
      ask(model);
  });
}
