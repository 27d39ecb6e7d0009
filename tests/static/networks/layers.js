/** The layers of the project's networks, as the server describes them at their usual sizes. */

import layers from "./layers.json" with { type: "json" };

/** What a layer is unless its description says more. */
const UNSAID = {
  below: null,
  beside: [],
  window: null,
  tensors: {},
  weights: {},
  form: null,
  order: null,
  measured: null,
  words: {},
  keys: {},
  links: {},
};

export const LAYERS = Object.fromEntries(
  Object.entries(layers).map(([name, own]) => [
    name,
    own.map((layer) => ({ ...UNSAID, ...layer })),
  ]),
);
