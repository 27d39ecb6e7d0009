/**
 * Sentences about a sweep, which follow from its scores in every case.
 * @import { Knob } from "./knobs.js"
 * @import { Measurement, Model } from "../../types.js"
 */

import { sum } from "../../lib/arithmetic.js";
import { fixed, grouped, listed, percent } from "../../lib/format.js";
import { knobWords } from "./knobs.js";

/** So many stretches of a sweep are named one by one. */
const FEW = 3;

/**
 * What one network made of a sweep.
 * @typedef {object} Course
 * @property {string} name of the network
 * @property {string} one what a score of it is called
 * @property {readonly boolean[]} isRead at each value of the knob: whether the network names
 *   the followed class
 * @property {ArrayLike<number>} scores of the followed class
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
 * @param {Knob} knob @param {readonly number[]} knobs
 * @param {string} name of the followed class
 * @param {readonly Course[]} courses
 */
export function sweepWords(knob, knobs, name, courses) {
  if (courses.length === 0) return "No network takes part.";
  return courses.map((course) => courseWords(knob, knobs, name, course)).join("\n");
}

/**
 * @param {Knob} knob @param {readonly number[]} knobs @param {string} name
 * @param {Course} course
 */
function courseWords(knob, knobs, name, course) {
  const isRight = course.isRead;
  const held = heldAround(knobs, isRight, knob.start);
  const rights = isRight.filter(Boolean).length;
  const low = lowWords(knob, knobs, name, course);
  const [first, last] = [knobs[0], knobs[knobs.length - 1]];
  if (rights === 0)
    return `${course.name}: reads ${name} at none of ${knobs.length} values.`;
  if (rights === knobs.length)
    return `${course.name}: reads ${name} at every value from ${knobWords(knob, first)} to ${knobWords(knob, last)}; ${low}.`;
  if (held === null) {
    const where =
      placesWords(knob, knobs, isRight) ?? `at ${rights} of ${knobs.length} values`;
    return `${course.name}: reads ${name} ${where}, but not at ${knobWords(knob, knob.start)}; ${low}.`;
  }
  const span =
    held.from === held.to
      ? `at ${knobWords(knob, held.from)}, not at the next values to either side`
      : `from ${knobWords(knob, held.from)} to ${knobWords(knob, held.to)}`;
  const inside = held.last - held.first + 1;
  if (rights === inside) return `${course.name}: reads ${name} ${span}; ${low}.`;
  const isAgain = isRight.map((right, i) => right && (i < held.first || i > held.last));
  const again =
    placesWords(knob, knobs, isAgain) ??
    `at ${rights - inside} of the other ${knobs.length - inside} values`;
  return `${course.name}: reads ${name} ${span}, and again ${again}; ${low}.`;
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
 * Where the score of the class is least.
 * @param {Knob} knob @param {readonly number[]} knobs @param {string} name
 * @param {Course} course
 */
function lowWords(knob, knobs, name, { one, scores }) {
  const values = Array.from(scores);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const written = fixed(least, 2);
  if (written === fixed(most, 2))
    return `its ${one} of ${name} is ${written} at every value`;
  const at = knobWords(knob, knobs[values.indexOf(least)]);
  return `its ${one} of ${name} is lowest at ${at} (${written})`;
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
    ...{ knob: name, date: "", true_score: [], winner_score: [] },
    ...{ images: images / values.length, values },
    accuracy: rows.map((row) => 1 - sum(row) / row.length),
  };
}

/**
 * What the test set gave at the measured value nearest to a knob's.
 * @param {Knob} knob @param {number} value
 * @param {readonly { title: string, test: Measurement | null }[]} networks
 * @returns {string} empty where nothing was measured
 */
export function testWords(knob, value, networks) {
  const known = networks.flatMap(({ title, test }) => {
    if (test === null) return [];
    const place = nearestTo(test.values, value);
    const share = percent(test.accuracy[place], 1);
    const at = knobWords(knob, test.values[place]);
    const words = `${title} reads ${share} of ${grouped(test.images)} right`;
    return [{ at, words, title, share, images: test.images }];
  });
  if (known.length === 0) return "";
  const places = [...new Set(known.map(({ at }) => at))];
  const [{ title, share, images }, ...others] = known;
  if (places.length === 1 && others.every((each) => each.images === images)) {
    const shares = [
      `${title} reads ${share} right`,
      ...others.map((each) => `${each.title} ${each.share}`),
    ];
    return `Of ${grouped(images)} test images at ${places[0]}, this knob alone, ${listed(shares)}.`;
  }
  const each = known.map(({ at, words }) =>
    places.length > 1 ? `${words} at ${at}` : words,
  );
  const where = places.length > 1 ? "" : ` at ${places[0]}`;
  return `Test images${where}, this knob alone: ${each.join("; ")}.`;
}
