/**
 * Two digits: one moves across the other. Does a network name both wherever they lie, and
 * does each capsule keep to its own strokes?
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { Experiment } from "../../types.js"
 */
import { readsPairs } from "../../core/state.js";
import { atStart, knobFields } from "../shared/knobs.js";
import { KNOBS } from "./knobs.js";

/** @type {Experiment<SweepSlice>} */
export const crossing = {
  id: "crossing",
  title: "Two digits",
  schema: knobFields(KNOBS),
  suits: readsPairs,
  needs: "reads two digits at once",
  opens: { settings: { ...atStart(KNOBS), right: -7 } },
  tryFirst: {
    words: "Move it above the other. Are both still named?",
    button: "Move it up",
    at: "[data-knobs] input",
    change: ({ settings, model }) =>
      readsPairs(model)
        ? { knob: "down", settings: { ...settings, right: 1, down: -8 } }
        : null,
  },
  script: "lab/crossing/index.js",
  load: () => import("./index.js"),
};
