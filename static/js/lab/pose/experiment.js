/**
 * Pose: turn, shift, scale and shear a digit. Do capsules keep what pooling throws
 * away?
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { Experiment } from "../../types.js"
 */
import { knobFields } from "../shared/knobs.js";
import { KNOBS } from "./knobs.js";

/** @type {Experiment<SweepSlice>} */
export const pose = {
  id: "pose",
  title: "Pose",
  schema: knobFields(KNOBS),
  tryFirst: {
    words: "Turn the image by 45°. Which network still reads it?",
    button: "Turn it",
    at: "[data-knobs] input",
    change: ({ settings }) => ({ knob: "turn", settings: { ...settings, turn: 45 } }),
  },
  script: "lab/pose/index.js",
  load: () => import("./index.js"),
};
