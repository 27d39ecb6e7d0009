/**
 * The view that shows the kept image beside the one on show, whatever the network.
 */
import { COMPARE } from "../core/state.js";

export const compareView = {
  id: COMPARE,
  title: "Compare",
  shape: () => "two images",
  script: "compare/index.js",
  load: () => import("./index.js"),
};
