/**
 * All sides: turn a toy and raise the camera. Does a network that knows a toy from some
 * sides know it from the others?
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { Experiment } from "../../types.js"
 */
import { seesToys } from "../../core/state.js";
import { atStart, knobFields } from "../shared/knobs.js";
import { KNOBS } from "./knobs.js";

/** @type {Experiment<SweepSlice>} */
export const sides = {
  id: "sides",
  title: "All sides",
  schema: knobFields(KNOBS),
  suits: seesToys,
  needs: "reads toys",
  opens: { knob: "elevation", settings: { ...atStart(KNOBS), elevation: 80 } },
  tryFirst: {
    words: "Look straight down on the toy. Which network still knows it?",
    button: "Look down",
    at: "[data-knobs] input",
    change: ({ settings, model }) =>
      seesToys(model)
        ? { knob: "elevation", settings: { ...settings, elevation: 90 } }
        : null,
  },
  script: "lab/sides/index.js",
  load: () => import("./index.js"),
};
