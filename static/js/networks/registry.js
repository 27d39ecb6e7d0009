/**
 * Every architecture that the page can show, by the name in `/api/models`.
 *
 * To add one: a line here, and a folder beside this file whose `index.js` exports
 * `network`, a `Network` as `types.d.ts` describes it. Nothing else on the page knows what
 * its layers are called or how many there are. It brings
 *
 * - `views`, in the strip's order after Input: id, title, shape, thumbnail, the tensors
 *   that each needs, and an `import()` of the module whose `mount` draws it. The view's
 *   store calls back only while the view is open and the trace holds all of them; in
 *   `tryFirst`, one line that says what to try first, and what its button changes;
 * - `comparison`, what the Compare view shows of two images besides their scores;
 * - `routing`, how its routing looks beside another network's;
 * - `moving`, what a moved stroke changes in its layers;
 * - `tasks`, when a task of the guide is done;
 * - `slice`, its part of the state, kept for each model while others are shown;
 * - `actions` that change the slice; `link`, how it stands in the address; `options`, what
 *   its traces are asked with; `wants`, tensors for the moment; `start`, its watchers.
 *
 * Its markup is `templates/networks/NAME/index.html`: a `<section data-view="ID">` for
 * each view, and what belongs elsewhere: `data-place="notices"` stands above all views,
 * "keys" and "help" are parts of the help, "compared" stands in the Compare view. A view without markup is given an empty panel
 * to fill. All this is in the document only while the network is chosen, so ids need to be
 * unique within one network only.
 * @import { AnyNetwork, Model } from "../types.js"
 */
/** @type {Readonly<Record<string, () => Promise<{ network: AnyNetwork }>>>} */
const NETWORKS = {
  capsnet: () => import("./capsnet.js"),
  cnn: () => import("./cnn/index.js"),
  matrix: () => import("./matrix.js"),
};

/**
 * Bring what shows a model. Modules are fetched once, so the same model's network is
 * always the same object.
 * @param {Pick<Model, "architecture" | "title">} model
 * @param {typeof NETWORKS} [networks]
 * @returns {Promise<AnyNetwork>}
 * @throws {Error} for people: the page has no such network, or cannot fetch it
 */
export async function loadNetwork({ architecture, title }, networks = NETWORKS) {
  const load = networks[architecture];
  if (!load)
    throw new Error(
      `This page cannot show ${title}: its architecture is ${architecture}, and the page supports ${Object.keys(networks).join(", ")}.`,
    );
  const { network } = await load().catch((cause) => {
    if (!(cause instanceof TypeError)) throw cause; // the module's own mistake
    throw new Error(
      `The views of ${title} could not be loaded. Check that the server is running, then reload the page.`,
      { cause },
    );
  });
  return network;
}
