/**
 * Sentences about a sweep, which follow from its scores in every case.
 * @import { Knob } from "./knobs.js"
 * @import { Measurement, Model } from "../../types.js"
 */

import { sum } from "../../lib/arithmetic.js";
import { listed, percent } from "../../lib/format.js";
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
 * @param {readonly number[]} knobs at least one
 * @param {number} value
 * @returns {number} the index of the value nearest to it
 */
export function nearestTo(knobs, value) {
  const away = knobs.map((knob) => Math.abs(knob - value));
  return away.indexOf(Math.min(...away));
}

/**
 * What a sweep shows of one network: where the class is read, and where its score is least.
 * @param {Knob} knob @param {readonly number[]} knobs @param {Course} course
 * @returns {readonly [reads: string, lowest: string]}
 */
export function courseWords(knob, knobs, { isRead, scores, text }) {
  const rights = isRead.filter(Boolean).length;
  const places = rights === 0 ? "nowhere" : placesWords(knob, knobs, isRead);
  const values = Array.from(scores);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const at =
    text(least) === text(most)
      ? "everywhere"
      : `at ${knobWords(knob, knobs[values.indexOf(least)])}`;
  return [places ?? `at ${rights} of ${knobs.length} values`, `${text(least)} ${at}`];
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
  const found =
    name === null ? undefined : (card.measurements?.[name] ?? bySide(card, name));
  const isWhole = found !== undefined && found.values.length > 1;
  return isWhole && found.accuracy.length === found.values.length ? found : null;
}

/**
 * What the test set gave at the measured value nearest to a knob's.
 * @param {Measurement | null} test @param {Pick<Knob, "decimals" | "unit">} knob
 * @param {number} value
 * @returns {string} empty where nothing was measured
 */
export function testReading(test, knob, value) {
  if (test === null) return "";
  const i = nearestTo(test.values, value);
  return `test set at ${knobWords(knob, test.values[i])}: ${percent(test.accuracy[i], 1)}`;
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
