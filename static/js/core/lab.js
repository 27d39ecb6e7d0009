/**
 * The Lab's part of the state: the mode, the open experiment, the networks that take part
 * and a slice for each experiment; and how it stands in the link.
 * @import { AnyExperiment, AppState, Model } from "../types.js"
 */

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
export function experimentSlice({ lab }, { id, slice }) {
  return lab.slices[id] ?? slice;
}

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

/** How networks that are switched off are set apart in a link; no id holds it. */
const BETWEEN = "/";

/**
 * Add what differs from the start. Only the open experiment's slice stands in a link.
 * @param {URLSearchParams} link
 * @param {Pick<AppState, "mode"> & LabPart} state
 */
export function writeLab(link, state) {
  if (state.mode !== LAB) return;
  link.set("mode", LAB);
  const experiment = openExperiment(state);
  if (experiment === null) return;
  link.set("experiment", experiment.id);
  if (state.lab.off.length > 0) link.set("off", state.lab.off.join(BETWEEN));
  experiment.link.write(link, experimentSlice(state, experiment));
}

/**
 * @param {URLSearchParams} link
 * @param {object} known
 * @param {readonly AnyExperiment[]} [known.experiments]
 * @param {readonly Pick<Model, "id">[]} [known.models]
 * @param {AppState["lab"]} [known.lab] what is kept of other experiments
 * @returns {Pick<AppState, "mode"> & Partial<Pick<AppState, "lab">>}
 */
export function readLab(link, { experiments = [], models = [], lab }) {
  if (link.get("mode") !== LAB) return { mode: EXPLORE };
  const experiment =
    experiments.find(({ id }) => id === link.get("experiment")) ?? experiments[0];
  if (experiment === undefined) return { mode: EXPLORE };
  const slice = { ...experiment.slice, ...experiment.link.read(link) };
  return {
    mode: LAB,
    lab: {
      experiment: experiment.id,
      off: offIn(link).filter((id) => models.some((model) => model.id === id)),
      slices: { ...lab?.slices, [experiment.id]: slice },
    },
  };
}

/**
 * The ids of networks that a link switches off.
 * @param {URLSearchParams} link
 */
export function offIn(link) {
  return (link.get("off") ?? "").split(BETWEEN).filter((id) => id !== "");
}
