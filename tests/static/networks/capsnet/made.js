/** What tests of capsule networks begin with. */

import { network } from "../../../../static/js/networks/capsnet.js";
import { MODEL } from "../../fixtures.js";
import { makers } from "../making.js";

export const { stateWith, made } = makers(network, MODEL);
