/** What tests of matrix capsules begin with. */

import { listed, MODEL } from "../../fixtures.js";
import { LAYERS } from "../layers.js";
import { makers } from "../making.js";
import { matrix as network } from "../networks.js";

export const MATRIX_MODEL = {
  ...MODEL,
  id: "matrix",
  architecture: "matrix",
  layers: LAYERS.matrix,
  scores: "activation",
  card: { config: { variance_floor: 1 } },
  tensors: listed({
    "conv1.pre": [64, 11, 11],
    "primary.poses": [8, 11, 11, 4, 4],
    "primary.activations": [8, 11, 11],
    "caps1.poses": [8, 5, 5, 4, 4],
    "caps1.activations": [8, 5, 5],
    "caps2.poses": [8, 3, 3, 4, 4],
    "caps2.activations": [8, 3, 3],
    "classes.poses": [10, 4, 4],
    scores: [10],
    reconstruction: [28, 28],
  }),
};

export const { stateWith, made } = makers(network, MATRIX_MODEL);
