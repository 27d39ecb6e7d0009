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
 */

/** @type {Choices} */
export const START = { method: "fgsm", target: ANY };

/** @type {Readonly<Record<string, string>>} */
export const METHODS = {
  noise: "noise (control)",
  fgsm: "FGSM: one step",
  bim: "BIM: 10 steps",
  pgd: "PGD: 3 × 10 steps",
};

/** ε: by how much a pixel may change at most. @type {Knob} */
export const KNOB = {
  id: "eps",
  title: "ε",
  unit: "",
  what: "by how much each pixel may change",
  low: 0,
  high: 0.3,
  step: 0.01,
  start: 0,
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
 * @returns {string | null} null: there is none
 */
export function measuredAs({ method, target }) {
  if (method === "noise") return "noise";
  return target !== ANY || method === "bim" ? null : method;
}
