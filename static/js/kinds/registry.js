/**
 * Brings what shows a model, and what the list of models leaves out of it. The kinds of
 * layers are fetched once, with the first.
 * @import { Model, Network } from "./types.js"
 */

import { complete } from "../core/api.js";
import { whyUnloaded } from "../core/transport.js";

/**
 * @param {Model} model
 * @param {() => Promise<{ networkOf: (model: Model) => Network }>} [load]
 * @returns {Promise<Network>}
 * @throws {Error} for people: the page cannot fetch it
 */
export async function loadNetwork(model, load = () => import("./described.js")) {
  const scripts = load().catch(async (cause) => {
    if (!(cause instanceof TypeError)) throw cause; // the module's own mistake
    const why = await whyUnloaded("kinds/described.js");
    throw new Error(`The views of ${model.title} could not be loaded. ${why}`, {
      cause,
    });
  });
  const [{ networkOf }] = await Promise.all([scripts, complete([model])]);
  return networkOf(model);
}
