/**
 * The Lab's part of the state: the mode, the open experiment, the networks that take part
 * and a slice for each experiment.
 * @import { AnyExperiment, AppState, Model } from "../types.js"
 */
import { memoizeByObject } from "../lib/memoize.js";
import { startOf } from "./schema.js";

/** Each layer of one network. */
export const EXPLORE = "explore";

/** Experiments with all networks. Also the id of the panel that holds them. */
export const LAB = "lab";

/** The state that the Lab is made of. @typedef {Pick<AppState, "lab" | "experiments">} LabPart */

/**
 * What is on show: the open view of Explore, or the Lab.
 * @param {{ mode?: AppState["mode"], view: string }} state
 */
export function shownView({ mode, view }) {
  return mode === LAB ? LAB : view;
}

/**
 * The open experiment.
 * @param {LabPart} state
 * @returns {AnyExperiment | null} null where there are none
 */
export function openExperiment({ lab, experiments }) {
  return experiments.find(({ id }) => id === lab.experiment) ?? experiments[0] ?? null;
}

/**
 * An experiment's slice of the state.
 * @param {Pick<AppState, "lab">} state
 * @param {AnyExperiment} experiment
 * @returns {object} always the same object while nothing in it changes
 */
export function experimentSlice({ lab }, experiment) {
  return lab.slices[experiment.id] ?? startingSlice(experiment);
}

const startingSlice = memoizeByObject(
  (/** @type {AnyExperiment} */ experiment) => experiment,
  ({ schema }) => startOf(schema),
);

/**
 * The models that can be asked about the image on show: those with the chosen one's
 * classes that read images of its size.
 * @param {Pick<AppState, "models" | "model">} state
 * @returns {Model[]}
 */
export function comparableModels({ models, model }) {
  const kindOf = (/** @type {Model} */ each) =>
    [...each.class_names, ...each.input_shape].join("\n");
  return model === null ? [] : models.filter((each) => kindOf(each) === kindOf(model));
}

/**
 * Those of them that are switched on.
 * @param {Pick<AppState, "models" | "model" | "lab">} state
 * @returns {Model[]}
 */
export function switchedOn(state) {
  return comparableModels(state).filter(({ id }) => !state.lab.off.includes(id));
}
