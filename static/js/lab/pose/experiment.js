/**
 * Change the image: turn, shift, scale and shear it, and do what a photo does. Do capsules keep
 * what pooling throws away?
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { Experiment } from "../../types.js"
 */
import { atStart, knobFields } from "../shared/knobs.js";
import { KNOBS } from "./knobs.js";

/** @type {Experiment<SweepSlice>} */
export const pose = {
  id: "pose",
  title: "Change the image",
  schema: knobFields(KNOBS),
  opens: { settings: { ...atStart(KNOBS), turn: 40 } },
  tryFirst: {
    words: "Set it upright and shrink it. Which network still reads it?",
    button: "Shrink it",
    at: "[data-knobs] input",
    change: ({ settings }) => ({
      knob: "scale",
      settings: { ...settings, turn: 0, scale: 0.4 },
    }),
  },
  script: "lab/pose/index.js",
  load: () => import("./index.js"),
};
