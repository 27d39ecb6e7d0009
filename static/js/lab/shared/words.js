/**
 * Sentences about a sweep, which follow from its scores in every case.
 * @import { Knob } from "./knobs.js"
 * @import { Measurement, Model } from "../../types.js"
 */

import { nearestTo, sum } from "../../lib/arithmetic.js";
import { listed, percent } from "../../lib/format.js";
import { placeIn } from "./insertion.js";
import { knobWords } from "./knobs.js";

/** So many stretches of a sweep are named one by one. */
const FEW = 3;

/**
 * What one network made of a sweep.
 * @typedef {object} Course
 * @property {readonly boolean[]} isRead at each value of the knob: whether the network reads
 *   the followed class
 * @property {ArrayLike<number>} scores of the followed class
 * @property {(score: number) => string} text how one is written
 */

/**
 * A stretch of a sweep.
 * @typedef {object} Held
 * @property {number} first index of its first value
 * @property {number} last index of its last value
 * @property {number} from its first value
 * @property {number} to its last value
 */

/**
 * Over which values around the knob's start a network reads the class.
 * @param {readonly number[]} knobs ascending
 * @param {readonly boolean[]} isRight
 * @param {number} start where the knob changes nothing
 * @returns {Held | null} null: not even there
 */
export function heldAround(knobs, isRight, start) {
  const middle = nearestTo(knobs, start);
  if (!isRight[middle]) return null;
  let [first, last] = [middle, middle];
  while (first > 0 && isRight[first - 1]) first--;
  while (last < knobs.length - 1 && isRight[last + 1]) last++;
  return { first, last, from: knobs[first], to: knobs[last] };
}

/**
 * What a sweep shows of one network: at how many of its values the class is read, and at
 * which, and where its score is least. What lies between two values was not asked.
 * @param {Knob} knob @param {readonly number[]} knobs @param {Course} course
 * @returns {readonly [reads: string, lowest: string]}
 */
export function courseWords(knob, knobs, { isRead, scores, text }) {
  const rights = isRead.filter(Boolean).length;
  const places = rights === 0 ? null : placesWords(knob, knobs, isRead);
  const values = Array.from(scores);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const lowest =
    text(least) === text(most)
      ? "everywhere"
      : `at ${knobWords(knob, knobs[values.indexOf(least)])}`;
  const count = rights === knobs.length ? "all" : rights || "none";
  return [
    places === null ? `${count}` : `${count}: ${places}`,
    `${text(least)} ${lowest}`,
  ];
}

/**
 * @param {Knob} knob @param {readonly number[]} knobs
 * @param {readonly boolean[]} isThere for each of these values
 * @returns {string | null} such as "from −30° to −15° and at 45°"; null: too many to name
 */
export function placesWords(knob, knobs, isThere) {
  const starts = [...knobs.keys()].filter((i) => isThere[i] && !isThere[i - 1]);
  if (starts.length > FEW) return null;
  const stretches = starts.map((first) => {
    let last = first;
    while (isThere[last + 1]) last++;
    const [from, to] = [first, last].map((i) => knobWords(knob, knobs[i]));
    return first === last ? `at ${from}` : `from ${from} to ${to}`;
  });
  return listed(stretches);
}

/**
 * What a network's card says of the test set.
 * @param {Pick<Model, "card">} model
 * @param {string | null} name of a measurement; null: there is none of this kind
 * @returns {Measurement | null} null where it was not measured, or is not complete
 */
export function measurementOf({ card }, name) {
  const entry =
    name === null ? undefined : (card.measurements?.[name] ?? bySide(card, name));
  const isWhole = entry !== undefined && entry.values.length > 1;
  return isWhole && entry.accuracy.length === entry.values.length ? entry : null;
}

/**
 * A value of a line between the values that it was measured at.
 * @param {readonly number[]} places ascending @param {readonly number[]} figures as many
 * @param {number} value
 * @returns {{ figure: number, ends: readonly number[] } | null} with the indices of what it
 *   lies between, or of the one that it is; null beyond the line's ends
 */
export function lineAt(places, figures, value) {
  const { at, isNew } = placeIn(places, value);
  if (!isNew) return { figure: figures[at], ends: [at] };
  if (at === 0 || at === places.length) return null;
  const share = (value - places[at - 1]) / (places[at] - places[at - 1]);
  const figure = figures[at - 1] + share * (figures[at] - figures[at - 1]);
  return { figure, ends: [at - 1, at] };
}

/**
 * What test images gave where a knob stands: measured there, or on the line between what was
 * measured beside it.
 * @param {readonly number[]} places at which they were measured, ascending
 * @param {readonly number[]} figures as many, shares of 1
 * @param {Pick<Knob, "unit">} knob @param {number} value
 * @returns {string} such as "at 30°: 86.3 %" or "at 37°: 74.3 %, on the line from 86.3 % at
 *   30° to 60.6 % at 45°"
 */
export function measuredWords(places, figures, knob, value) {
  const text = (/** @type {number} */ i) =>
    `${percent(figures[i], 1)} at ${knobWords(knob, places[i])}`;
  const line = lineAt(places, figures, value);
  if (line === null)
    return `not measured at ${knobWords(knob, value)}; ${text(nearestTo(places, value))}`;
  const start = `at ${knobWords(knob, value)}: ${percent(line.figure, 1)}`;
  const [from, to] = line.ends;
  return to === undefined
    ? start
    : `${start}, on the line from ${text(from)} to ${text(to)}`;
}

/**
 * The share of test toys read right, over one of the two angles.
 * @param {Pick<Model, "card">["card"]} card @param {string} name
 * @returns {Measurement | undefined}
 */
function bySide({ viewpoints, test_images: images = 0 }, name) {
  if (viewpoints === undefined || !["azimuth", "elevation"].includes(name))
    return undefined;
  const { azimuths, elevations, errors } = viewpoints;
  const isHeight = name === "elevation";
  const values = isHeight ? elevations : azimuths;
  const rows = isHeight ? errors : azimuths.map((_, i) => errors.map((row) => row[i]));
  return {
    knob: name,
    date: "",
    true_score: [],
    winner_score: [],
    images: images / values.length,
    values,
    accuracy: rows.map((row) => 1 - sum(row) / row.length),
  };
}

/**
 * Names of networks without the images that they were trained on, where these are told apart
 * without.
 * @param {readonly Pick<Model, "title">[]} networks @returns {string[]}
 */
export function shortNames(networks) {
  const short = networks.map(({ title }) => title.replace(/ on .+$/u, ""));
  return new Set(short).size === short.length
    ? short
    : networks.map(({ title }) => title);
}
