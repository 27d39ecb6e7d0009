/**
 * What every kind of routing brings: how many iterations run, and which of them is shown.
 * @import { Schema } from "../../core/schema.js"
 * @import { Layer, Model } from "../types.js"
 * @import { RoutingModel } from "./types.js"
 */
import { whole } from "../../core/schema.js";
import { counted } from "../../lib/format.js";
import { keyOf } from "../layer-state.js";
import { NO_SURGERY } from "./surgery/changes.js";
import { runsAsAsked, stagedOptions } from "./surgery/run.js";

/**
 * A network that runs as many as it is asked for says how many that can be; of another, the
 * trace has as many as ran.
 * @param {Model} model @param {Layer} layer
 * @param {(name: string) => string} [named] what a field is called in links
 * @returns {Schema}
 */
export function iterationFields(model, layer, named = (name) => name) {
  const [ran] = layer.shapeOf(model, "couplings");
  const { routing_iterations: start, max_routing_iterations: most } = runsAsAsked(model)
    ? /** @type {RoutingModel} */ (model)
    : { routing_iterations: ran, max_routing_iterations: ran };
  return {
    iterations: {
      ...whole({ link: named("iterations"), least: 1, most, start }),
      step: (_before, count) => counted(count, "iteration"),
    },
    step: whole({
      link: named("step"),
      least: 1,
      most: (known) => known[keyOf(layer, "iterations")],
      start: (known) => known[keyOf(layer, "iterations")],
    }),
  };
}

/** The part of a kind that all have in common. */
export const ROUTING = {
  name: "routing",
  words: () => ({ voter: "capsule" }),
  tryFirst: () => ({
    words: "Go back to where routing starts.",
    button: "Show iteration 1",
    at: "[data-step]",
    change: () => ({ step: 1 }),
  }),
  options: stagedOptions,
  unchanged: { surgery: NO_SURGERY },
  /** Whether requests can change it. @param {Layer} _layer @param {Model} model */
  isOperable: (_layer, model) => runsAsAsked(model),
  tasks: {
    /** The iteration on show is the last one that runs. */
    "last-iteration": (/** @type {{ step: number, iterations: number }} */ state) =>
      state.step === state.iterations,
  },
};
