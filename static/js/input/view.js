/**
 * The view that every network begins with: the input itself.
 * @import { AppState, FirstTry, Model } from "../types.js"
 */
import { INPUT } from "../core/state.js";
import { shapeOf, sizeWords } from "../lib/pixels.js";

/** @type {FirstTry<AppState, Partial<AppState>>} */
const tryFirst = {
  words: "Follow this image into the network.",
  button: "Open the first layer",
  at: "#stage",
  change({ network }) {
    const [first] = network?.views ?? [];
    return first === undefined ? null : { view: first.id, field: null };
  },
};

export const inputView = {
  id: INPUT,
  title: "Input",
  /** @param {Model} model */
  shape: (model) => sizeWords(shapeOf(model)),
  tryFirst,
  script: "input/index.js",
  load: () => import("./index.js"),
};
