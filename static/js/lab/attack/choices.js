/**
 * What can be chosen of an attack, and which of the card's measurements is of the same kind.
 * @import { Knob } from "../shared/knobs.js"
 */

/** Any class but its own, as a target. */
export const ANY = "";

/**
 * @typedef {object} Choices
 * @property {string} method
 * @property {string} target the index of a class, or `ANY`
 * @property {string} gradient
 * @property {string} loss
 */

/** @type {Choices} */
export const START = {
  ...{ method: "fgsm", target: ANY, gradient: "full", loss: "gap" },
};

/** @typedef {{ key: keyof Choices, name: string, title: string, options: Readonly<Record<string, string>> }} Menu */

/**
 * Choices that are the same for every image and network; `name` is the one in links.
 * @type {readonly Menu[]}
 */
export const MENUS = [
  {
    ...{ key: "method", name: "attack", title: "Method" },
    options: {
      noise: "noise (control)",
      fgsm: "FGSM: one step",
      bim: "BIM: 10 steps",
      pgd: "PGD: 3 × 10 steps",
    },
  },
  {
    ...{ key: "gradient", name: "through", title: "Through" },
    options: { full: "all iterations", last: "the last iteration" },
  },
  {
    ...{ key: "loss", name: "loss", title: "Loss" },
    options: { gap: "gap of the scores", trained: "loss of training" },
  },
];

/** ε: by how much a pixel may change at most. @type {Knob} */
export const KNOB = {
  ...{ id: "eps", title: "ε", unit: "", what: "by how much each pixel may change" },
  ...{ low: 0, high: 0.3, step: 0.01, start: 0, decimals: 2 },
  ticks: [0, 0.1, 0.2, 0.3],
  sweep: [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3],
  measured: null,
};

/** Fewer values for methods that take thirty times as long. */
const FEW = [0, 0.05, 0.1, 0.2, 0.3];

/** @param {Pick<Choices, "method">} choices */
export function sweepOf({ method }) {
  return takesSteps(method) ? FEW : KNOB.sweep;
}

/** @param {string} method */
export function takesSteps(method) {
  return method === "bim" || method === "pgd";
}

/**
 * The measurement of test images that were changed in the same way.
 * @param {Choices} choices
 * @param {{ routing_iterations?: number | null }} model
 * @returns {string | null} null: there is none
 */
export function measuredAs(choices, model) {
  const { method, target, gradient, loss } = choices;
  if (method === "noise") return "noise";
  if (target !== ANY || method === "bim") return null;
  // Of a network that does not iterate, both gradients are the same.
  const last = gradient === "last" && (model.routing_iterations ?? 0) > 1;
  if (loss === "trained") return method === "fgsm" && !last ? "fgsm_trained" : null;
  return last ? `${method}_last` : method;
}
