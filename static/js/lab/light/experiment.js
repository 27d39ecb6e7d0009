/**
 * Ground and light: what a photo does to a digit before any attacker comes.
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { Experiment } from "../../types.js"
 */
import { knobFields } from "../shared/knobs.js";
import { KNOBS } from "./knobs.js";

/** @type {Experiment<SweepSlice>} */
export const light = {
  id: "light",
  title: "Ground and light",
  schema: knobFields(KNOBS),
  tryFirst: {
    words: "Add grey to every pixel. Which network still reads the image?",
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
