/** What tests of CNNs begin with. */

import { network } from "../../../../static/js/networks/cnn/index.js";
import { MODEL } from "../../fixtures.js";
import { makers } from "../making.js";

/** The default sizes, as a model's card tells them. */
export const CNN_SIZES = {
  image_size: 28,
  kernel_size: 5,
  conv1_kernels: 32,
  conv2_kernels: 64,
  hidden_units: 512,
  classes: 10,
};

export const CNN = {
  ...MODEL,
  id: "cnn",
  architecture: "cnn",
  card: { config: CNN_SIZES },
};

export const { stateWith, made } = makers(network, CNN);
