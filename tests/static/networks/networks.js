/** The networks of the project, made of these layers. */

import { networkOf } from "../../../static/js/kinds/described.js";
import { LAYERS } from "./layers.js";

export const { capsnet, cnn, matrix, efficient } = Object.fromEntries(
  Object.entries(LAYERS).map(([name, own]) => [
    name,
    networkOf({ layers: own, tensors: [] }),
  ]),
);
