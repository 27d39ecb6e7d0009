/**
 * Two digits: one moves across the other. Does a network name both wherever they lie, and
 * does each capsule keep to its own strokes?
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { Experiment } from "../../types.js"
 */
import { readsPairs } from "../../core/state.js";
import { knobFields } from "../shared/knobs.js";
import { KNOBS } from "./knobs.js";

/** @type {Experiment<SweepSlice>} */
export const crossing = {
  id: "crossing",
  title: "Two digits",
  schema: knobFields(KNOBS),
  tryFirst: {
    words: "Lay both digits in the same place. Are both still named?",
    button: "Move it to the middle",
    at: "[data-knobs] input",
    change: ({ settings, model }) =>
      readsPairs(model)
        ? { knob: "right", settings: { ...settings, right: 0, down: 0 } }
        : null,
  },
  script: "lab/crossing/index.js",
  load: () => import("./index.js"),
};
