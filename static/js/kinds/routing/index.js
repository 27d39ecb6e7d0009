/**
 * What every kind of routing brings: how many iterations run, and which of them is shown.
 * @import { Schema } from "../../core/schema.js"
 * @import { Layer, Model } from "../types.js"
 * @import { RoutingModel } from "./types.js"
 */
import { whole } from "../../core/schema.js";

/** @param {Model} model @returns {Schema} */
export function iterationFields(model) {
  const { routing_iterations: start, max_routing_iterations: most } =
    /** @type {RoutingModel} */ (model);
  return {
    iterations: whole({ link: "iterations", least: 1, most, start }),
    step: whole({
      link: "step",
      least: 1,
      most: (so) => so.iterations,
      start: (so) => so.iterations,
    }),
  };
}

/**
 * What capsules that vote are called, and the layer that feeds them.
 * @param {Layer} layer
 */
export function voterOf({ words, below, network }) {
  const voters = network.find(({ id }) => id === below);
  const beneath = network.find(({ id }) => id === voters?.below);
  return { voter: words.voter ?? "capsule", beneath: beneath?.title ?? "the image" };
}

/** The part of a kind that all have in common. */
export const ROUTING = {
  name: "routing",
  tryFirst: () => ({
    words: "Go back to where routing starts.",
    button: "Show iteration 1",
    at: "[data-step]",
    change: () => ({ step: 1 }),
  }),
  options: (/** @type {{ iterations: number }} */ { iterations }) => ({ iterations }),
  tasks: {
    /** The iteration on show is the last one that runs. */
    "last-iteration": (/** @type {{ step: number, iterations: number }} */ state) =>
      state.step === state.iterations,
  },
};
