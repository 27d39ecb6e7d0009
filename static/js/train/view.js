/**
 * Train as the page opens it: in place of the views of a network.
 */
import { TRAIN } from "../core/state.js";

export const trainView = {
  id: TRAIN,
  title: "Train",
  script: "train/index.js",
  load: () => import("./index.js"),
};
