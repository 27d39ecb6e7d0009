/**
 * The view that every network begins with: the input itself.
 * @import { Model } from "../types.js"
 */
import { INPUT } from "../core/state.js";

export const inputView = {
  id: INPUT,
  title: "Input",
  /** @param {Model} model */
  shape: ({ input_shape }) => input_shape.join("×"),
  script: "input/index.js",
  load: () => import("./index.js"),
};
