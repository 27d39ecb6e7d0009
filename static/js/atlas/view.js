/**
 * The Atlas as the page opens it: in place of the views of a network.
 */
import { ATLAS } from "../core/state.js";

export const atlasView = {
  id: ATLAS,
  title: "Atlas",
  script: "atlas/index.js",
  load: () => import("./index.js"),
};
