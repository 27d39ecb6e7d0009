/**
 * How an image is changed, by its pose and by light: what can be set, and the change that it
 * is.
 * @import { Change } from "../../lib/changing.js"
 * @import { Knob, Settings } from "../shared/knobs.js"
 */
import { evenly } from "../shared/knobs.js";

const SHIFT = {
  unit: " px",
  low: -10,
  high: 10,
  step: 0.5,
  start: 0,
  ticks: [-10, -5, 0, 5, 10],
  sweep: evenly(-10, 10, 0.5),
};

/** @type {readonly Knob[]} */
export const MOVES = [
  {
    id: "turn",
    title: "Turn",
    unit: "°",
    what: "counter-clockwise, in degrees",
    low: -180,
    high: 180,
    step: 1,
    start: 0,
    ticks: [-180, -90, 0, 90, 180],
    sweep: evenly(-180, 180, 7.5),
    measured: "rotation",
  },
  {
    id: "right",
    title: "Shift right",
    what: "to the right, in pixels",
    ...SHIFT,
    measured: "shift",
  },
  {
    id: "down",
    title: "Shift down",
    what: "down, in pixels",
    ...SHIFT,
    measured: "shift_down",
  },
  {
    id: "scale",
    title: "Scale",
    unit: "",
    what: "factor of its size",
    low: 0.4,
    high: 1.6,
    step: 0.02,
    start: 1,
    ticks: [0.4, 0.7, 1, 1.3, 1.6],
    sweep: evenly(0.4, 1.6, 0.05),
    measured: "scale",
  },
  {
    id: "shear",
    title: "Shear",
    unit: "°",
    what: "the top to the right, in degrees",
    low: -45,
    high: 45,
    step: 1,
    start: 0,
    ticks: [-45, -30, -15, 0, 15, 30, 45],
    sweep: evenly(-45, 45, 3.75),
    measured: "shear",
  },
];

/** What a photo does. @type {readonly Knob[]} */
export const LIGHT = [
  {
    id: "ground",
    title: "Ground",
    unit: "",
    what: "grey added to every pixel",
    low: -0.1,
    high: 0.4,
    step: 0.01,
    start: 0,
    ticks: [-0.1, 0, 0.1, 0.2, 0.3, 0.4],
    sweep: evenly(-0.1, 0.4, 0.05),
    measured: "ground",
  },
  {
    id: "contrast",
    title: "Contrast",
    unit: "",
    what: "factor on every pixel",
    low: 0,
    high: 2,
    step: 0.05,
    start: 1,
    ticks: [0, 0.5, 1, 1.5, 2],
    sweep: evenly(0, 2, 0.1),
    measured: "contrast",
  },
  {
    id: "noise",
    title: "Noise",
    unit: "",
    what: "each pixel moves at random by at most this",
    low: 0,
    high: 0.6,
    step: 0.01,
    start: 0,
    ticks: [0, 0.2, 0.4, 0.6],
    sweep: evenly(0, 0.6, 0.05),
    measured: "grain",
  },
  {
    id: "blur",
    title: "Blur",
    unit: " px",
    what: "standard deviation of a Gaussian",
    low: 0,
    high: 3,
    step: 0.1,
    start: 0,
    ticks: [0, 1, 2, 3],
    sweep: evenly(0, 3, 0.25),
    measured: "blur",
  },
  {
    id: "stroke",
    title: "Strokes",
    unit: " px",
    what: "pixels by which every edge of the ink moves outward; below 0, inward",
    low: -2,
    high: 3,
    step: 0.1,
    start: 0,
    ticks: [-2, -1, 0, 1, 2, 3],
    sweep: evenly(-2, 3, 0.25),
    measured: "stroke",
    isOfInk: true,
  },
];

export const KNOBS = [...MOVES, ...LIGHT];

/** @param {Settings} settings @returns {Change} */
export function changeOf(settings) {
  const { turn, right, down, scale, shear, ...light } = settings;
  return { rotate: turn, shift: [right, down], scale, shear, ...light };
}
