/**
 * All sides: turn a toy and raise the camera. Does a network that knows a toy from some
 * sides know it from the others?
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { Experiment } from "../../types.js"
 */
import { seesToys } from "../../core/state.js";
import { knobFields } from "../shared/knobs.js";
import { KNOBS } from "./knobs.js";

/** @type {Experiment<SweepSlice>} */
export const sides = {
  id: "sides",
  title: "All sides",
  schema: knobFields(KNOBS),
  tryFirst: {
    words: "Look at the toy from the front. Which network still knows it?",
    button: "Turn it",
    at: "[data-knobs] input",
    change: ({ settings, model }) =>
      seesToys(model)
        ? { knob: "azimuth", settings: { ...settings, azimuth: 270 } }
        : null,
  },
  script: "lab/sides/index.js",
  load: () => import("./index.js"),
};
