/**
 * From where a toy is seen: what can be set.
 * @import { Knob } from "../shared/knobs.js"
 */
import { evenly } from "../shared/knobs.js";

/** @type {readonly Knob[]} */
export const KNOBS = [
  {
    id: "azimuth",
    title: "Turned by",
    unit: "°",
    what: "the toy on its turntable, in degrees",
    low: 0,
    high: 360,
    step: 1,
    start: 320,
    ticks: [0, 90, 180, 270, 360],
    sweep: evenly(0, 360, 10),
    measured: "azimuth",
    isRound: true,
  },
  {
    id: "elevation",
    title: "Camera’s height",
    unit: "°",
    what: "of the camera above the ground, in degrees",
    low: 0,
    high: 90,
    step: 1,
    start: 40,
    ticks: [0, 30, 50, 70, 90],
    sweep: evenly(0, 90, 5),
    measured: "elevation",
  },
];
