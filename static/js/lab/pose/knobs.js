/**
 * How a digit is posed: what can be set, and the change that it is.
 * @import { Change } from "../shared/change.js"
 * @import { Knob, Settings } from "../shared/knobs.js"
 */
import { evenly } from "../shared/knobs.js";

/** @type {readonly Knob[]} */
export const KNOBS = [
  {
    ...{ id: "turn", title: "Turn", unit: "°", what: "counter-clockwise, in degrees" },
    ...{ low: -180, high: 180, step: 1, start: 0, decimals: 1 },
    ...{ ticks: [-180, -90, 0, 90, 180], sweep: evenly(-180, 180, 7.5) },
    measured: "rotation",
  },
  {
    ...{
      id: "right",
      title: "Shift right",
      unit: " px",
      what: "to the right, in pixels",
    },
    ...{ low: -10, high: 10, step: 0.5, start: 0, decimals: 1 },
    ...{ ticks: [-10, -5, 0, 5, 10], sweep: evenly(-10, 10, 0.5) },
    measured: "shift",
  },
  {
    ...{ id: "down", title: "Shift down", unit: " px", what: "down, in pixels" },
    ...{ low: -10, high: 10, step: 0.5, start: 0, decimals: 1 },
    ...{ ticks: [-10, -5, 0, 5, 10], sweep: evenly(-10, 10, 0.5) },
    measured: "shift_down",
  },
  {
    ...{ id: "scale", title: "Scale", unit: "", what: "factor of its size" },
    ...{ low: 0.4, high: 1.6, step: 0.02, start: 1, decimals: 2 },
    ...{ ticks: [0.4, 0.7, 1, 1.3, 1.6], sweep: evenly(0.4, 1.6, 0.05) },
    measured: "scale",
  },
  {
    ...{
      id: "shear",
      title: "Shear",
      unit: "°",
      what: "the top to the right, in degrees",
    },
    ...{ low: -45, high: 45, step: 1, start: 0, decimals: 2 },
    ...{ ticks: [-45, -30, -15, 0, 15, 30, 45], sweep: evenly(-45, 45, 3.75) },
    measured: "shear",
  },
];

/** @param {Settings} settings @returns {Change} */
export function changeOf({ turn, right, down, scale, shear }) {
  return { rotate: turn, shift: [right, down], scale, shear };
}
