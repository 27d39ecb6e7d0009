/** What tests of capsule networks begin with. */

import { MODEL } from "../../fixtures.js";
import { makers } from "../making.js";
import { capsnet as network } from "../networks.js";

export const { stateWith, made } = makers(network, MODEL);
