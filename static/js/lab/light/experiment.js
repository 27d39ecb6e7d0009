/**
 * Ground and light: what a photo does to a digit before any attacker comes.
 * @import { Experiment } from "../../types.js"
 * @import { SweepSlice } from "../shared/sweep.js"
 */
import { knobFields } from "../shared/knobs.js";
import { KNOBS } from "./knobs.js";

/** @type {Experiment<SweepSlice>} */
export const light = {
  id: "light",
  title: "Ground and light",
  schema: knobFields(KNOBS),
  tryFirst: {
    words: "Put the digit on grey paper. Which network still reads it?",
    button: "Raise the ground",
    at: "[data-knobs] input",
    change: ({ settings }) => ({
      knob: "ground",
      settings: { ...settings, ground: 0.2 },
    }),
  },
  script: "lab/light/index.js",
  load: () => import("./index.js"),
};
