/** The networks of the project, as the server describes them at their usual sizes. */

import { networkOf } from "../../../static/js/kinds/described.js";
import layers from "./layers.json" with { type: "json" };

export const LAYERS = layers;

export const { capsnet, cnn, matrix, efficient } = Object.fromEntries(
  Object.entries(layers).map(([name, own]) => [
    name,
    networkOf({ layers: own, tensors: [] }),
  ]),
);
