/**
 * Fetches what was measured on the network, each part when a view first shows it.
 * @import { NetworkState, NetworkStore, Services } from "../../../types.js"
 * @import { CapsModel, CapsNet } from "../types.js"
 */
import { latest } from "../../../lib/timing.js";

/** @typedef {{ model: CapsModel, part: "poses" | "types" }} Wish */

/** The views that show a part. */
const SHOWN = /** @type {const} */ ({
  poses: ["reconstruction"],
  types: ["primary", "routing"],
});

/**
 * @param {NetworkStore<CapsNet>} store
 * @param {Services} services
 */
export function keepMeasured(store, { server, guarded }) {
  const ask = latest(
    guarded(async (/** @type {Wish} */ { model, part }) => {
      const found = await server.fetchOwnTensors(model, `measured/${part}`);
      /** @param {string} name */
      const own = (name) => found[`${part}.${name}`];
      if (part === "poses")
        store.keep(model, {
          poseMeasures: {
            mean: own("mean"),
            directions: own("directions"),
            deviations: own("deviations"),
            ways: own("ways"),
            slopes: own("slopes"),
          },
        });
      else
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
  store.watch(["model", "view", "poseMeasures", "portraits"], (state) => {
    const wish = measuredWish(state);
    if (wish !== null) ask(wish);
  });
}

/**
 * The part that the open view shows and that has not come yet.
 * @param {Pick<NetworkState<CapsNet>, "model" | "view" | "poseMeasures" | "portraits">} state
 * @returns {Wish | null} null too where the network was not measured
 */
export function measuredWish({ model, view, poseMeasures, portraits }) {
  const kept = { poses: poseMeasures, types: portraits };
  for (const part of /** @type {const} */ (["poses", "types"])) {
    const isShown = SHOWN[part].some((shown) => shown === view);
    if (isShown && kept[part] === null && wasMeasured(model, part))
      return { model, part };
  }
  return null;
}

/**
 * @param {Pick<CapsModel, "measured">} model
 * @param {Wish["part"]} part
 */
export function wasMeasured({ measured = [] }, part) {
  return measured.some(({ name }) => name.startsWith(`${part}.`));
}
