/** What tests of dynamic routing begin with: a network of one layer, named as in the CapsNet. */

import { capsules } from "../../../../../static/js/kinds/capsules/index.js";
import { createNetwork, layersOf } from "../../../../../static/js/kinds/network.js";
import { dynamicRouting } from "../../../../../static/js/kinds/routing/dynamic/kind.js";
import { MODEL } from "../../../fixtures.js";
import { LAYERS } from "../../../networks/layers.js";
import { makers } from "../../../networks/making.js";

const [, primary, routing] = LAYERS.capsnet;
const PRIMARY = {
  ...primary,
  below: undefined,
  kind: capsules,
  window: () => primary.window,
};
const ROUTING = {
  ...routing,
  kind: dynamicRouting,
  window: undefined,
  tensors: { ...routing.tensors, none: "routing.none" },
};

export const [, LAYER] = layersOf([PRIMARY, ROUTING]);
export const network = createNetwork({ layers: [PRIMARY, ROUTING], model: MODEL });
export const { stateWith, made } = makers(network, MODEL);
