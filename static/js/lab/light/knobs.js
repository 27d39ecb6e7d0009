/**
 * What is done to ground and light: what can be set, and the change that it is.
 * @import { Change } from "../shared/change.js"
 * @import { Knob, Settings } from "../shared/knobs.js"
 */
import { evenly } from "../shared/knobs.js";

/** @type {readonly Knob[]} */
export const KNOBS = [
  {
    ...{ id: "ground", title: "Ground", unit: "", what: "grey added to every pixel" },
    ...{ low: -0.1, high: 0.4, step: 0.01, start: 0, decimals: 2 },
    ...{ ticks: [-0.1, 0, 0.1, 0.2, 0.3, 0.4], sweep: evenly(-0.1, 0.4, 0.05) },
    measured: "ground",
  },
  {
    ...{ id: "contrast", title: "Contrast", unit: "", what: "factor on every pixel" },
    ...{ low: 0, high: 2, step: 0.05, start: 1, decimals: 2 },
    ...{ ticks: [0, 0.5, 1, 1.5, 2], sweep: evenly(0, 2, 0.1) },
    measured: "contrast",
  },
  {
    ...{
      id: "noise",
      title: "Noise",
      unit: "",
      what: "each pixel moves at random by at most this",
    },
    ...{ low: 0, high: 0.6, step: 0.01, start: 0, decimals: 2 },
    ...{ ticks: [0, 0.2, 0.4, 0.6], sweep: evenly(0, 0.6, 0.05) },
    measured: "grain",
  },
  {
    ...{
      id: "blur",
      title: "Blur",
      unit: " px",
      what: "standard deviation of a Gaussian",
    },
    ...{ low: 0, high: 3, step: 0.1, start: 0, decimals: 1 },
    ...{ ticks: [0, 1, 2, 3], sweep: evenly(0, 3, 0.25) },
    measured: "blur",
  },
  {
    ...{ id: "stroke", title: "Strokes", unit: " px" },
    what: "pixels by which every edge of the ink moves outward; below 0, inward",
    ...{ low: -2, high: 3, step: 0.1, start: 0, decimals: 2 },
    ...{ ticks: [-2, -1, 0, 1, 2, 3], sweep: evenly(-2, 3, 0.25) },
    measured: "stroke",
    isOfInk: true,
  },
];

/** @param {Settings} settings @returns {Change} */
export function changeOf({ ground, contrast, noise, blur, stroke }) {
  return { ground, contrast, noise, blur, stroke };
}
