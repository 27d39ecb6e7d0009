/**
 * The Lab as the page opens it: in place of the views of a network.
 */
import { LAB } from "../core/state.js";

export const labView = {
  id: LAB,
  title: "Lab",
  script: "lab/index.js",
  load: () => import("./index.js"),
};
