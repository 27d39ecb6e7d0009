/**
 * All sides: turn a toy and raise the camera. Does a network that knows a toy from some
 * sides know it from the others?
 * @import { Knob } from "../shared/knobs.js"
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { Experiment } from "../../types.js"
 */
import { seesToys } from "../../core/state.js";
import { evenly, knobFields } from "../shared/knobs.js";

/** @type {readonly Knob[]} */
export const KNOBS = [
  {
    ...{ id: "azimuth", title: "Turned by", unit: "°" },
    what: "the toy on its turntable, in degrees",
    ...{ low: 0, high: 360, step: 1, start: 320, decimals: 1 },
    ...{ ticks: [0, 90, 180, 270, 360], sweep: evenly(0, 360, 10) },
    ...{ measured: "azimuth", isRound: true },
  },
  {
    ...{ id: "elevation", title: "Camera’s height", unit: "°" },
    what: "of the camera above the ground, in degrees",
    ...{ low: 0, high: 90, step: 1, start: 40, decimals: 1 },
    ...{ ticks: [0, 30, 50, 70, 90], sweep: evenly(0, 90, 5) },
    measured: "elevation",
  },
];

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
