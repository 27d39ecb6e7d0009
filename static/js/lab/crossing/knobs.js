/**
 * Where the second digit lies: what can be set, and where both lie then.
 * @import { Knob, Settings } from "../shared/knobs.js"
 * @import { Laid } from "../../types.js"
 */
import { LEAP } from "../../core/pair.js";
import { evenly } from "../shared/knobs.js";

const FARTHEST = 2 * LEAP; // as far apart as training lays two digits

const APART = {
  unit: " px",
  low: -FARTHEST,
  high: FARTHEST,
  step: 1,
  ticks: evenly(-FARTHEST, FARTHEST, LEAP),
  sweep: evenly(-FARTHEST, FARTHEST, 1),
};

/** @type {readonly Knob[]} */
export const KNOBS = [
  {
    id: "right",
    title: "Right",
    start: LEAP,
    what: "the second digit, in pixels from the middle; below 0 to the left",
    ...APART,
    measured: "crossing",
  },
  {
    id: "down",
    title: "Down",
    start: 0,
    what: "the second digit, in pixels from the middle; below 0 up",
    ...APART,
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
