/**
 * Two digits: one moves across the other. Does a network name both wherever they lie, and
 * does each capsule keep to its own strokes?
 * @import { Knob, Settings } from "../shared/knobs.js"
 * @import { SweepSlice } from "../shared/sweep.js"
 * @import { Experiment, Laid } from "../../types.js"
 */
import { LEAP } from "../../core/pair.js";
import { readsPairs } from "../../core/state.js";
import { evenly, knobFields } from "../shared/knobs.js";

const FARTHEST = 2 * LEAP; // as far apart as training lays two digits

/** @type {readonly Knob[]} */
export const KNOBS = [
  {
    ...{ id: "right", title: "Right", unit: " px", start: LEAP },
    what: "the second digit, in pixels from the middle; below 0 to the left",
    ...{ low: -FARTHEST, high: FARTHEST, step: 1, decimals: 0 },
    ...{
      ticks: evenly(-FARTHEST, FARTHEST, LEAP),
      sweep: evenly(-FARTHEST, FARTHEST, 1),
    },
    measured: "crossing",
  },
  {
    ...{ id: "down", title: "Down", unit: " px", start: 0 },
    what: "the second digit, in pixels from the middle; below 0 up",
    ...{ low: -FARTHEST, high: FARTHEST, step: 1, decimals: 0 },
    ...{
      ticks: evenly(-FARTHEST, FARTHEST, LEAP),
      sweep: evenly(-FARTHEST, FARTHEST, 1),
    },
    measured: "crossing_down",
  },
];

/**
 * Two digits as the knobs lay them: the first in the middle, the second where they say.
 * @param {readonly [Laid, Laid]} digits @param {Settings} settings
 * @returns {[Laid, Laid]}
 */
export function laidOut([first, second], { right, down }) {
  return [
    { ...first, right: 0, down: 0 },
    { ...second, right, down },
  ];
}

/** @type {Experiment<SweepSlice>} */
export const crossing = {
  id: "crossing",
  title: "Two digits",
  schema: knobFields(KNOBS),
  tryFirst: {
    words: "Lay both digits in the same place. Are both still named?",
    button: "Move it to the middle",
    at: "[data-knobs] input",
    change: ({ settings, model }) =>
      readsPairs(model)
        ? { knob: "right", settings: { ...settings, right: 0, down: 0 } }
        : null,
  },
  script: "lab/crossing/index.js",
  load: () => import("./index.js"),
};
