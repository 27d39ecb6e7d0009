/**
 * Ground and light: what a photo does to a digit before any attacker comes.
 * @import { Experiment } from "../../types.js"
 * @import { SweepSlice } from "../shared/sweep.js"
 */
import { atStart, knobsLink } from "../shared/knobs.js";
import { KNOBS } from "./knobs.js";

const START = { knob: KNOBS[0].id, settings: atStart(KNOBS) };

/** @type {Experiment<SweepSlice>} */
export const light = {
  id: "light",
  title: "Ground and light",
  slice: START,
  link: knobsLink(KNOBS, START),
  script: "lab/light/index.js",
  load: () => import("./index.js"),
};
