/**
 * Every architecture that the page can show, by the name in `/api/models`.
 *
 * To add one: a line here, and a module beside this file that exports `network`, made by
 * `createNetwork` of a description of its layers. Each layer is of a kind, and `kinds/`
 * says what a kind brings: its view, thumbnail and comparison, its fields of state and
 * link, what to try first. The description says what the layer is called, which tensors
 * play which role, what lies below, and what its kind cannot know. Nothing else on the page
 * knows what a network's layers are called or how many there are.
 *
 * Its markup is `templates/networks/NAME/index.html`, which includes that of its kinds: a
 * `<section data-view="ID">` for each view, and what belongs elsewhere.
 * `data-place="notices"` stands above all views, "keys" and "help" are parts of the help,
 * "compared" stands in the Compare view. A view without markup is given an empty panel to
 * fill. All this is in the document only while the network is chosen, so ids need to be
 * unique within one network only.
 * @import { Network, Model } from "../types.js"
 */
/** @type {Readonly<Record<string, () => Promise<{ network: Network }>>>} */
const NETWORKS = {
  capsnet: () => import("./capsnet.js"),
  cnn: () => import("./cnn.js"),
  matrix: () => import("./matrix.js"),
  efficient: () => import("./efficient.js"),
};

/**
 * Bring what shows a model. Modules are fetched once, so the same model's network is
 * always the same object.
 * @param {Pick<Model, "architecture" | "title">} model
 * @param {typeof NETWORKS} [networks]
 * @returns {Promise<Network>}
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
