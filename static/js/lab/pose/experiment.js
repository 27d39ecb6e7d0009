/**
 * Change the image: turn, shift, scale and shear it, and do what a photo does. Do capsules keep
 * what pooling throws away?
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { Experiment } from "../../types.js"
 */
import { knobFields } from "../shared/knobs.js";
import { KNOBS } from "./knobs.js";

/** @type {Experiment<SweepSlice>} */
export const pose = {
  id: "pose",
  title: "Change the image",
  schema: knobFields(KNOBS),
  tryFirst: {
    words: "Turn it by 40°. Which network still reads it?",
    button: "Turn it",
    at: "[data-knobs] input",
    change: ({ settings }) => ({ knob: "turn", settings: { ...settings, turn: 40 } }),
  },
  script: "lab/pose/index.js",
  load: () => import("./index.js"),
};
